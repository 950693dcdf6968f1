#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// Hidden, so that the library, which calls some of these itself, finds its own and not these.
#pragma GCC visibility push(hidden)
#include "CLibXML2.h"

#if LIBXML_VERSION >= 21400
#define LIBRARY "libxml2.so.16"
#else
#define LIBRARY "libxml2.so.2"
#endif

#define FUNCTIONS(EACH) \
    EACH(inputPush) EACH(xmlByteConsumed) EACH(xmlCreateMemoryParserCtxt) EACH(xmlCreatePushParserCtxt) \
    EACH(xmlCtxtGetLastError) EACH(xmlCtxtReadMemory) EACH(xmlCtxtUseOptions) EACH(xmlDocGetRootElement) \
    EACH(xmlFreeDoc) EACH(xmlFreeParserCtxt) EACH(xmlFreeParserInputBuffer) EACH(xmlGetIntSubset) \
    EACH(xmlGetLineNo) EACH(xmlInitParser) EACH(xmlNewIOInputStream) EACH(xmlNewParserCtxt) EACH(xmlParseChunk) \
    EACH(xmlParseDocument) EACH(xmlParserInputBufferCreateFd) EACH(xmlStopParser) EACH(xmlStrncmp)

#define DECLARE(name) static __typeof__(name) *p_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_open = 0;

static void open_library(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define FIND(name) \
    p_##name = (__typeof__(p_##name))dlsym(library, #name); \
    if (!p_##name) return;
    FUNCTIONS(FIND)
    is_open = 1;
}

/// Whether the library is there; opens it where it is not yet.
static int is_there(void) {
    pthread_once(&once, open_library);
    return is_open;
}

// What a document is read with is made by these. They make nothing where the library is missing.

void xmlInitParser(void) {
    if (is_there()) p_xmlInitParser();
}
xmlParserCtxtPtr xmlNewParserCtxt(void) { return is_there() ? p_xmlNewParserCtxt() : NULL; }
xmlParserCtxtPtr xmlCreateMemoryParserCtxt(const char *bytes, int size) {
    return is_there() ? p_xmlCreateMemoryParserCtxt(bytes, size) : NULL;
}
xmlParserCtxtPtr xmlCreatePushParserCtxt(
    xmlSAXHandlerPtr handler, void *data, const char *bytes, int size, const char *name
) {
    return is_there() ? p_xmlCreatePushParserCtxt(handler, data, bytes, size, name) : NULL;
}
xmlParserInputBufferPtr xmlParserInputBufferCreateFd(int descriptor, xmlCharEncoding encoding) {
    return is_there() ? p_xmlParserInputBufferCreateFd(descriptor, encoding) : NULL;
}

// All others are called with what those have made.

int inputPush(xmlParserCtxtPtr context, xmlParserInputPtr input) { return p_inputPush(context, input); }
long xmlByteConsumed(xmlParserCtxtPtr context) { return p_xmlByteConsumed(context); }
__typeof__(xmlCtxtGetLastError(NULL)) xmlCtxtGetLastError(void *context) { return p_xmlCtxtGetLastError(context); }
xmlDocPtr xmlCtxtReadMemory(
    xmlParserCtxtPtr context, const char *bytes, int size, const char *url, const char *encoding, int options
) {
    return p_xmlCtxtReadMemory(context, bytes, size, url, encoding, options);
}
int xmlCtxtUseOptions(xmlParserCtxtPtr context, int options) { return p_xmlCtxtUseOptions(context, options); }
xmlNodePtr xmlDocGetRootElement(const xmlDoc *document) { return p_xmlDocGetRootElement(document); }
void xmlFreeDoc(xmlDocPtr document) { p_xmlFreeDoc(document); }
void xmlFreeParserCtxt(xmlParserCtxtPtr context) { p_xmlFreeParserCtxt(context); }
void xmlFreeParserInputBuffer(xmlParserInputBufferPtr buffer) { p_xmlFreeParserInputBuffer(buffer); }
xmlDtdPtr xmlGetIntSubset(const xmlDoc *document) { return p_xmlGetIntSubset(document); }
long xmlGetLineNo(const xmlNode *node) { return p_xmlGetLineNo(node); }
xmlParserInputPtr xmlNewIOInputStream(
    xmlParserCtxtPtr context, xmlParserInputBufferPtr buffer, xmlCharEncoding encoding
) {
    return p_xmlNewIOInputStream(context, buffer, encoding);
}
int xmlParseChunk(xmlParserCtxtPtr context, const char *bytes, int size, int isLast) {
    return p_xmlParseChunk(context, bytes, size, isLast);
}
int xmlParseDocument(xmlParserCtxtPtr context) { return p_xmlParseDocument(context); }
void xmlStopParser(xmlParserCtxtPtr context) { p_xmlStopParser(context); }
int xmlStrncmp(const xmlChar *one, const xmlChar *other, int count) { return p_xmlStrncmp(one, other, count); }

#pragma GCC visibility pop
#endif
