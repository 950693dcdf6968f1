#ifndef CLIBXML2_H
#define CLIBXML2_H

// Apple's SDKs have a module of their own.
#ifdef __linux__

// libxml2 is opened when the first document is read: with the libraries that it brings it takes longer to load than the
// rest of a program that reads none, as one that opens a store does, whose model is in a form of its own. The functions are
// called by their own names, and hand their arguments on.

// Foundation brings its own ICU types; libxml2's must stay out of the same compilation.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#endif
#endif
