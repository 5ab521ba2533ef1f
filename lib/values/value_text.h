// The values of arguments as text.
#ifndef VALUES_VALUE_TEXT_H
#define VALUES_VALUE_TEXT_H

#include <inlinecall/parameters.h>

enum { IC_VALUE_MOST = 16 }; // bytes of a value

struct ic_value_string { // that knows its length
	uint64_t addr, size;
};

struct ic_value_bytes {
	uint8_t bytes[IC_VALUE_MOST]; // in memory order
	uint64_t addr;                // for a value in memory
	bool has_bytes, has_addr;
	bool has_string; // it is such a string, or points to one
	struct ic_value_string string;
};

struct ic_value_memory { // of the program that has the value
	bool is_big_endian;
	bool (*read)(void *context, uint64_t addr, void *bytes, size_t size);
	void *context;
};

// Whether the type is a pointer to characters, which is shown with its string.
bool ic_value_is_string(const struct ic_parameter *parameter);

// Whether it is an array of characters, which is shown up to a NUL.
bool ic_value_is_text(const struct ic_parameter *parameter);

// Whether it is an array of numbers or pointers, of which the first are shown, as far as they are
// in the bytes of a value.
bool ic_value_has_items(const struct ic_parameter *parameter);

// Whether only its lowest bit counts: GCC 14 and 16 describe some booleans as in the register of a
// number whose lowest bit they are; the other bits are the number's.
bool ic_value_is_bit(const struct ic_parameter *parameter);

// The number in up to 8 bytes of a value.
uint64_t ic_value_number(const uint8_t *bytes, size_t size, bool is_big_endian);

// Writes a value as GDB prints it, including the string that a pointer to characters points to, or
// the string that it has.
// False if there is nothing to print. `enumeration` is the parameter's type, if it is one.
bool ic_value_text(const struct ic_value_memory *memory, const struct ic_parameter *parameter,
		   const struct ic_enumeration *enumeration, const struct ic_value_bytes *value,
		   char *text, size_t room);

#endif
