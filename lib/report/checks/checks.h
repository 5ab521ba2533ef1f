// Formats of rules for programs that run checks.
#ifndef REPORT_CHECKS_CHECKS_H
#define REPORT_CHECKS_CHECKS_H

#include "report/writers/writer.h"

void ic_writer_init_tap(struct ic_writer *writer);    // Test Anything Protocol 13
void ic_writer_init_junit(struct ic_writer *writer);  // JUnit's XML
void ic_writer_init_github(struct ic_writer *writer); // workflow commands of GitHub Actions
void ic_writer_init_sarif(struct ic_writer *writer);  // SARIF 2.1.0

#endif
