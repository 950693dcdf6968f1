#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

// libcurl is opened when the first transfer needs it: with the libraries that it brings it takes longer to load than all
// the rest of a program, most of whose runs never touch a network. Each function here hands its arguments on; those that
// are variadic there have one form for each kind of argument, as Swift can call no variadic function.

/// Opens the library and prepares it; call it before all others. `CURLE_FAILED_INIT` where it is missing.
CURLcode ccurl_global_init(void);

CURL *_Nullable ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *_Nonnull easy);
CURLcode ccurl_easy_pause(CURL *_Nonnull easy, int actions);
const char *_Nonnull ccurl_easy_strerror(CURLcode code);

CURLM *_Nullable ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CURLM *_Nonnull multi);
CURLMcode ccurl_multi_add_handle(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode ccurl_multi_remove_handle(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode ccurl_multi_perform(CURLM *_Nonnull multi, int *_Nonnull running);
CURLMcode ccurl_multi_poll(CURLM *_Nonnull multi, int milliseconds, int *_Nullable ready);
CURLMcode ccurl_multi_wakeup(CURLM *_Nonnull multi);
CURLMsg *_Nullable ccurl_multi_info_read(CURLM *_Nonnull multi, int *_Nonnull left);
CURLMcode ccurl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value);

struct curl_slist *_Nullable ccurl_slist_append(struct curl_slist *_Nullable list, const char *_Nonnull text);
void ccurl_slist_free_all(struct curl_slist *_Nullable list);

typedef size_t (*ccurl_data_callback)(char *_Nullable, size_t, size_t, void *_Nullable);

CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value);
CURLcode ccurl_set_size(CURL *_Nonnull easy, CURLoption option, curl_off_t value);
/// The library copies the text.
CURLcode ccurl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);
CURLcode ccurl_set_pointer(CURL *_Nonnull easy, CURLoption option, const void *_Nullable value);
/// For the body and for header lines.
CURLcode ccurl_set_data_callback(CURL *_Nonnull easy, CURLoption option, ccurl_data_callback _Nonnull callback);
CURLcode ccurl_set_progress_callback(CURL *_Nonnull easy, curl_xferinfo_callback _Nonnull callback);
/// Zero where unknown.
long ccurl_long_info(CURL *_Nonnull easy, CURLINFO info);
/// Zero where unknown.
curl_off_t ccurl_size_info(CURL *_Nonnull easy, CURLINFO info);

#endif
