#include "CEditLine.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#ifdef __APPLE__
#define LIBRARY "libedit.3.dylib"
#else
#define LIBRARY "libedit.so.2"
#endif

// histedit.h
typedef struct editline EditLine;
typedef struct history History;
typedef struct { int num; const char *str; } HistEvent;
typedef struct { const char *buffer, *cursor, *lastchar; } LineInfo;
enum { EL_PROMPT = 0, EL_EDITOR = 2, EL_SIGNAL = 3, EL_BIND = 4, EL_ADDFN = 9, EL_HIST = 10, EL_GETCFN = 13 };
enum { H_SETSIZE = 1, H_ENTER = 10, H_LOAD = 17, H_SAVE = 18, H_SETUNIQUE = 20 };
enum { CC_NEWLINE = 1, CC_REFRESH = 4, CC_REDISPLAY = 8, CC_ERROR = 6 };

static EditLine *(*p_el_init)(const char *, FILE *, FILE *, FILE *);
static const char *(*p_el_gets)(EditLine *, int *);
static int (*p_el_set)(EditLine *, int, ...);
static const LineInfo *(*p_el_line)(EditLine *);
static int (*p_el_insertstr)(EditLine *, const char *);
static void (*p_el_end)(EditLine *);
static History *(*p_history_init)(void);
static int (*p_history)(History *, HistEvent *, int, ...);

static EditLine *editor;
static History *past;
static char *past_file;
static char *prompt_text;
static ceditline_completer complete;
static int signal_pipe[2] = {-1, -1};
static bool is_cancelled;

static char *prompt(EditLine *line) { (void)line; return prompt_text; }

static bool find(void *library, void *function, const char *name) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool open_library(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    return library && find(library, &p_el_init, "el_init") && find(library, &p_el_gets, "el_gets")
        && find(library, &p_el_set, "el_set") && find(library, &p_el_line, "el_line")
        && find(library, &p_el_insertstr, "el_insertstr")
        && find(library, &p_el_end, "el_end") && find(library, &p_history_init, "history_init")
        && find(library, &p_history, "history");
}

// One character of UTF-8 from the terminal, or the sign that the line is cancelled.
static int next_character(EditLine *line, wchar_t *character) {
    (void)line;
    mbstate_t state = {0};
    for (;;) {
        struct pollfd sources[2] = {{STDIN_FILENO, POLLIN, 0}, {signal_pipe[0], POLLIN, 0}};
        if (poll(sources, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        char byte;
        if (sources[1].revents & POLLIN) {
            while (read(signal_pipe[0], &byte, 1) == 1) {}
            *character = 3;
            return 1;
        }
        ssize_t count = read(STDIN_FILENO, &byte, 1);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return (int)count;
        size_t length = mbrtowc(character, &byte, 1, &state);
        if (length == (size_t)-2) continue;
        if (length == (size_t)-1) memset(&state, 0, sizeof state);
        else return 1;
    }
}

static unsigned char cancel_line(EditLine *line, int key) {
    (void)key;
    (void)line;
    is_cancelled = true;
    fputs("^C\n", stdout);
    return CC_NEWLINE;
}

static size_t common(const char *words) {
    size_t length = strcspn(words, "\n");
    for (const char *next = words; (next = strchr(next, '\n')) && next[1];) {
        next++;
        size_t same = 0;
        while (same < length && words[same] == next[same]) same++;
        length = same;
    }
    return length;
}

static unsigned char complete_word(EditLine *line, int key) {
    (void)key;
    const LineInfo *info = p_el_line(line);
    int cursor = (int)(info->cursor - info->buffer);
    char *text = strndup(info->buffer, (size_t)(info->lastchar - info->buffer));
    char *words = text ? complete(text, cursor) : NULL;
    unsigned char result = CC_ERROR;
    if (words && *words) {
        // The first line is what of the word is typed already.
        char *list = strchr(words, '\n');
        size_t typed = list ? (size_t)(list - words) : 0;
        if (list && list[1]) {
            list++;
            size_t length = common(list);
            char *rest = strndup(list + typed, length > typed ? length - typed : 0);
            if (rest && *rest && p_el_insertstr(line, rest) == 0) result = CC_REFRESH;
            if (result == CC_ERROR) {
                fputc('\n', stdout);
                for (char *c = list; *c; c++) fputc(*c == '\n' ? ' ' : *c, stdout);
                fputc('\n', stdout);
                result = CC_REDISPLAY;
            }
            free(rest);
        }
    }
    free(words);
    free(text);
    return result;
}

bool ceditline_open(const char *text, const char *history, ceditline_completer completer) {
    if (editor) return true;
    if (!open_library() || pipe(signal_pipe) != 0) return false;
    for (int i = 0; i < 2; i++) {
        fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
        fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
    }
    // Letters of two bytes are one on the screen; a locale that says less is left alone.
    if (!setlocale(LC_CTYPE, "") || MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
    complete = completer;
    prompt_text = strdup(text);
    past_file = history ? strdup(history) : NULL;
    editor = p_el_init("offline-odata", stdin, stdout, stderr);
    if (!editor) return false;
    past = p_history_init();
    HistEvent event;
    p_history(past, &event, H_SETSIZE, 1000);
    p_history(past, &event, H_SETUNIQUE, 1);
    if (past_file) p_history(past, &event, H_LOAD, past_file);
    p_el_set(editor, EL_PROMPT, prompt);
    p_el_set(editor, EL_EDITOR, "emacs");
    p_el_set(editor, EL_SIGNAL, 0);
    p_el_set(editor, EL_HIST, p_history, past);
    p_el_set(editor, EL_ADDFN, "odata-complete", "Completes the word", complete_word);
    p_el_set(editor, EL_ADDFN, "odata-cancel", "Cancels the line", cancel_line);
    p_el_set(editor, EL_BIND, "^I", "odata-complete", NULL);
    p_el_set(editor, EL_BIND, "^C", "odata-cancel", NULL);
    p_el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    p_el_set(editor, EL_GETCFN, next_character);
    return true;
}

char *ceditline_read(void) {
    int count = 0;
    is_cancelled = false;
    const char *line = p_el_gets(editor, &count);
    // A cancelled line without a character counts as the end of the input for libedit.
    if (is_cancelled) return strdup("");
    if (!line || count <= 0) return NULL;
    char *copy = strdup(line);
    copy[strcspn(copy, "\r\n")] = 0;
    HistEvent event;
    if (*copy) p_history(past, &event, H_ENTER, copy);
    return copy;
}

void ceditline_cancel(void) {
    char byte = 3;
    if (signal_pipe[1] >= 0) (void)!write(signal_pipe[1], &byte, 1);
}

void ceditline_close(void) {
    if (!editor) return;
    HistEvent event;
    // It may hold what the data holds.
    mode_t mask = umask(077);
    if (past_file) p_history(past, &event, H_SAVE, past_file);
    umask(mask);
    p_el_end(editor);
    editor = NULL;
}
