#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt and its kin are macros over variadic functions; Swift can call neither.

/// This function is necessary because `curl_easy_setopt` is variadic.
static inline CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// This function is necessary because `curl_easy_setopt` is variadic.
static inline CURLcode ccurl_set_size(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// This function is necessary because `curl_easy_setopt` is variadic. The library copies the text.
static inline CURLcode ccurl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// This function is necessary because `curl_easy_setopt` is variadic.
static inline CURLcode ccurl_set_pointer(CURL *_Nonnull easy, CURLoption option, const void *_Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}

typedef size_t (*ccurl_data_callback)(char *_Nullable, size_t, size_t, void *_Nullable);

/// This function is necessary because `curl_easy_setopt` is variadic. For the body and for header lines.
static inline CURLcode ccurl_set_data_callback(CURL *_Nonnull easy, CURLoption option, ccurl_data_callback _Nonnull callback) {
    return (curl_easy_setopt)(easy, option, callback);
}

/// This function is necessary because `curl_easy_setopt` is variadic.
static inline CURLcode ccurl_set_progress_callback(CURL *_Nonnull easy, curl_xferinfo_callback _Nonnull callback) {
    return (curl_easy_setopt)(easy, CURLOPT_XFERINFOFUNCTION, callback);
}

/// This function is necessary because `curl_easy_getinfo` is variadic. Zero where unknown.
static inline long ccurl_long_info(CURL *_Nonnull easy, CURLINFO info) {
    long value = 0;
    return (curl_easy_getinfo)(easy, info, &value) == CURLE_OK ? value : 0;
}

/// This function is necessary because `curl_easy_getinfo` is variadic. Zero where unknown.
static inline curl_off_t ccurl_size_info(CURL *_Nonnull easy, CURLINFO info) {
    curl_off_t value = 0;
    return (curl_easy_getinfo)(easy, info, &value) == CURLE_OK ? value : 0;
}

/// This function is necessary because `curl_multi_setopt` is variadic.
static inline CURLMcode ccurl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

/// This function is necessary because `CURL_GLOBAL_DEFAULT` is a macro over macros.
static inline CURLcode ccurl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

#endif
