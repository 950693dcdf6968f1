#ifndef RECORDING_VFS_H
#define RECORDING_VFS_H

// A layer between SQLite and the system that writes down what is written and synced below one directory, and rebuilds the files as
// a power cut at any moment may leave them: what was synced is there, of what was not, anything.

/// What a power cut does to writes that were not synced.
enum recording_damage {
    /// None of them reached the disk.
    recording_lost = 0,
    /// All of them did.
    recording_kept = 1,
    /// A random part of them, in no order.
    recording_mixed = 2,
    /// As before, and the last one of them is torn in the middle.
    recording_torn = 3
};

/// Begins to record files below a directory; the layer becomes SQLite's default one at the first call. Returns 0, or an error.
int recording_begin(const char *directory);

/// Ends the recording of a directory and forgets it.
void recording_end(const char *directory);

/// How many writes, truncations and syncs a directory has seen.
int recording_count(const char *directory);

/// How many of the first `count` events are syncs.
int recording_syncs(const char *directory, int count);

/// Whether an event is a sync.
int recording_is_sync(const char *directory, int event);

/// Writes the files into another directory as they are after the first `count` events and a power cut. Returns 0, or an error.
int recording_rebuild(
    const char *directory, const char *target, int count, enum recording_damage damage, unsigned seed);

#endif
