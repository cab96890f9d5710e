#ifndef OSTIARY_BCRYPT_H
#define OSTIARY_BCRYPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The maximum number of hashes that one group computes at once.
#define OSTIARY_BCRYPT_LANES 4
/// The number of characters of a hash, such as `$2b$10$…`.
#define OSTIARY_BCRYPT_HASH_LENGTH 60

/// bcrypt hashes that one thread computes at once, in a lane each.
///
/// One hash waits most of the time for the cache, since each lookup depends on the one before. The lookups of several
/// hashes are independent and fill these waits. A group is confined to one thread at a time.
struct ostiary_bcrypt_group;

/// Returns an empty group, or NULL without memory.
struct ostiary_bcrypt_group *ostiary_bcrypt_group_create(void);

/// Wipes and frees a group.
void ostiary_bcrypt_group_destroy(struct ostiary_bcrypt_group *group);

/// Adds a hash to a group.
///
/// - Parameters:
///   - job: The caller's number for this hash, which `ostiary_bcrypt_take` returns.
///   - password: `length` bytes without NUL, of which bcrypt uses the first 72.
///   - setting: The prefix of a hash with version (`$2a$`, `$2b$` or `$2y$`), cost (4 to 31) and salt, or a whole hash.
/// - Returns: False, with the group unchanged, if it is full or an argument is refused.
bool ostiary_bcrypt_start(
    struct ostiary_bcrypt_group *group, int job, const char *password, size_t length, const char *setting,
    size_t setting_length);

/// Computes up to `rounds` of the 2^cost rounds of each hash in a group. Returns earlier when the first one is complete.
///
/// The time depends on the number of hashes in the group and on nothing else. Does nothing while a complete hash waits
/// to be taken.
void ostiary_bcrypt_run(struct ostiary_bcrypt_group *group, uint32_t rounds);

/// Removes a complete hash from a group, of several the one that was added first, and wipes its lane.
///
/// - Returns: False, with the arguments unchanged, if no hash is complete.
bool ostiary_bcrypt_take(
    struct ostiary_bcrypt_group *group, int *job, char output[OSTIARY_BCRYPT_HASH_LENGTH + 1]);

#endif
