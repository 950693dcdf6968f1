#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

// The functions of the library by their own names; a macro over one of them cannot get in the way.
#define FUNCTIONS(EACH) \
    EACH(curl_global_init) \
    EACH(curl_easy_init) EACH(curl_easy_cleanup) EACH(curl_easy_pause) EACH(curl_easy_strerror) \
    EACH(curl_easy_setopt) EACH(curl_easy_getinfo) \
    EACH(curl_multi_init) EACH(curl_multi_cleanup) EACH(curl_multi_add_handle) \
    EACH(curl_multi_remove_handle) EACH(curl_multi_perform) EACH(curl_multi_poll) \
    EACH(curl_multi_wakeup) EACH(curl_multi_info_read) EACH(curl_multi_setopt) \
    EACH(curl_slist_append) EACH(curl_slist_free_all)

#define DECLARE(name) static __typeof__((name)) *p_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode opened = CURLE_FAILED_INIT;

static void open_library(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define FIND(name) \
    p_##name = (__typeof__(p_##name))dlsym(library, #name); \
    if (!p_##name) return;
    FUNCTIONS(FIND)
    opened = p_curl_global_init(CURL_GLOBAL_DEFAULT);
}

CURLcode ccurl_global_init(void) {
    pthread_once(&once, open_library);
    return opened;
}

CURL *ccurl_easy_init(void) { return p_curl_easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { p_curl_easy_cleanup(easy); }
CURLcode ccurl_easy_pause(CURL *easy, int actions) { return p_curl_easy_pause(easy, actions); }
const char *ccurl_easy_strerror(CURLcode code) { return p_curl_easy_strerror(code); }

CURLM *ccurl_multi_init(void) { return p_curl_multi_init(); }
CURLMcode ccurl_multi_cleanup(CURLM *multi) { return p_curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) { return p_curl_multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) { return p_curl_multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_perform(CURLM *multi, int *running) { return p_curl_multi_perform(multi, running); }
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds, int *ready) {
    return p_curl_multi_poll(multi, NULL, 0, milliseconds, ready);
}
CURLMcode ccurl_multi_wakeup(CURLM *multi) { return p_curl_multi_wakeup(multi); }
CURLMsg *ccurl_multi_info_read(CURLM *multi, int *left) { return p_curl_multi_info_read(multi, left); }
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return p_curl_multi_setopt(multi, option, value);
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
    return p_curl_slist_append(list, text);
}
void ccurl_slist_free_all(struct curl_slist *list) {
    if (list) p_curl_slist_free_all(list);
}

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return p_curl_easy_setopt(easy, option, value); }
CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return p_curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return p_curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return p_curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_data_callback(CURL *easy, CURLoption option, ccurl_data_callback callback) {
    return p_curl_easy_setopt(easy, option, callback);
}
CURLcode ccurl_set_progress_callback(CURL *easy, curl_xferinfo_callback callback) {
    return p_curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
}

long ccurl_long_info(CURL *easy, CURLINFO info) {
    long value = 0;
    return p_curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
curl_off_t ccurl_size_info(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return p_curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
