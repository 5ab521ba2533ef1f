// The library version, and the attributes of public symbols.
//
// Nothing is promised before 1.0. From then on, a program compiled with inlinecall.h will run with
// any later version of the library: if a struct grows, its functions get new symbols, and the old
// ones stay.
#ifndef INLINECALL_VERSION_H
#define INLINECALL_VERSION_H

#define IC_VERSION_MAJOR 0
#define IC_VERSION_MINOR 1
#define IC_VERSION_PATCH 0

#if defined(__GNUC__)
#define IC_API     __attribute__((visibility("default")))
#define IC_CHECKED __attribute__((warn_unused_result))
#else
#define IC_API
#define IC_CHECKED
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The version of the library loaded at run time, such as "0.1.0"; the macros above give the version
 * of the header used at compile time. Static, never NULL.
 */
IC_API const char *ic_version(void);

#ifdef __cplusplus
}
#endif

#endif
