// SQLCipher's header has the name of SQLite's, in a folder that pkg-config names.
#include "../CSQLiteShim/functions.h"
