// The page that `inlinecall guide` prints: docs/guide.md.
#ifndef CLI_BASE_GUIDE_H
#define CLI_BASE_GUIDE_H

extern const char cli_guide[];

#endif
