#ifndef CLIBXML2_SHIM_H
#define CLIBXML2_SHIM_H

// Foundation brings its own ICU types; libxml2's must stay out of the same compilation.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#endif
