#include "sax_pass.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>
#include <time.h>

static double cpu_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                          int namespace_count, const xmlChar **namespaces, int attribute_count,
                          int defaulted_count, const xmlChar **attributes) {
    (void)name, (void)prefix, (void)uri, (void)namespace_count, (void)namespaces;
    (void)defaulted_count, (void)attributes;
    yardstick_sax *result = context;
    result->elements++;
    result->attributes += attribute_count;
}

int yardstick_sax_pass(const void *bytes, size_t length, yardstick_sax *result) {
    memset(result, 0, sizeof *result);
    xmlSAXHandler handler;
    memset(&handler, 0, sizeof handler);
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = start_element;
    double start = cpu_seconds();
    xmlParserCtxtPtr parser = xmlCreateMemoryParserCtxt(bytes, (int)length);
    if (parser == NULL) return 0;
    xmlSAXHandler *own = parser->sax;
    parser->sax = &handler;
    parser->userData = result;
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOENT);
    xmlParseDocument(parser);
    int worked = parser->wellFormed;
    parser->sax = own;
    xmlFreeParserCtxt(parser);
    result->cpu_seconds = cpu_seconds() - start;
    return worked;
}
