#ifndef CYARDSTICKS_STATIC_PAGES_H
#define CYARDSTICKS_STATIC_PAGES_H

/// Serves the files of a directory over HTTP/1.1 on 127.0.0.1 until standard input ends.
///
/// `index.tsv` there has a line per resource: target, file, content type. A request matches by its path and its `$skiptoken`; other
/// query options are not looked at. A request with `X-Stall-After: N` gets so many bytes of a longer body and then nothing more. Prints `port N` when it listens, and `requests N bytes N cpu SECONDS` in the end.
/// Returns an exit status.
int static_pages_serve(const char *directory);

#endif
