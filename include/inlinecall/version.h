// The version of the library, and the marks of its public symbols.
//
// A program also runs with any later version of the library than it was compiled with: if a struct
// grows, its functions get new symbols, and the old ones stay.
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
 * The version of the library that the program runs with, as "0.1.0"; the macros above are those
 * of the header that it was compiled with. Static, never NULL.
 */
IC_API const char *ic_version(void);

#ifdef __cplusplus
}
#endif

#endif
