// The folder of the functions has no module map: they belong to the module that includes them.
#include "../CSQLiteShim/functions.h"
