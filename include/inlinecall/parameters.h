// The parameters of functions.
#ifndef INLINECALL_PARAMETERS_H
#define INLINECALL_PARAMETERS_H

#ifdef __cplusplus
extern "C" {
#endif

/** What the bytes of a type are. Since: 0.1 */
enum ic_type_encoding {
	IC_TYPE_UNKNOWN,
	IC_TYPE_VOID,
	IC_TYPE_INTEGER,
	IC_TYPE_BOOLEAN,
	IC_TYPE_CHARACTER,
	IC_TYPE_FLOAT,
	IC_TYPE_COMPLEX,
	IC_TYPE_POINTER,
	IC_TYPE_REFERENCE,
	IC_TYPE_MEMBER_POINTER,
	IC_TYPE_ENUMERATION,
	IC_TYPE_STRUCTURE, // or a class or union
	IC_TYPE_ARRAY,
	IC_TYPE_VECTOR,
	IC_TYPE_FUNCTION,
	IC_TYPE_OTHER
};

#ifdef __cplusplus
}
#endif

#endif
