#ifndef CSYSTEMXML_SHIM_H
#define CSYSTEMXML_SHIM_H

#include <libxml/parser.h>

#endif
