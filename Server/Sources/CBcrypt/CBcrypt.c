// bcrypt, with up to four hashes interleaved in one thread. Written from the descriptions of Blowfish (Schneier, 1993) and of
// bcrypt (Provos and Mazières, "A Future-Adaptable Password Scheme", 1999).
//
// Nothing branches on a secret. The only indices that depend on one are those of Blowfish's substitution boxes, which are
// bcrypt's own, and the length of a password.

#define _DEFAULT_SOURCE
#define __STDC_WANT_LIB_EXT1__ 1

#include "CBcrypt.h"

#include <stdlib.h>
#include <string.h>

#include "BlowfishTables.h"

#define SUBKEYS 18
#define BOX 256
#define STATE (SUBKEYS + 4 * BOX)
#define KEY_BYTES (4 * SUBKEYS)
#define SALT_WORDS 4
/// `$2b$10$` and the 22 characters of a salt.
#define SETTING_LENGTH 29
#define DIGEST_WORDS 6
/// bcrypt omits the last byte of its 24.
#define DIGEST_BYTES 23

/// The state of one hash.
struct lane {
    /// The subkeys, followed by the substitution boxes: the order in which the key schedule replaces them.
    uint32_t state[STATE];
    /// The password, and the salt, repeated to the length of the subkeys.
    uint32_t key[SUBKEYS];
    uint32_t salt[SUBKEYS];
    uint32_t rounds_left;
    int job;
    char setting[SETTING_LENGTH];
};

struct ostiary_bcrypt_group {
    /// The hashes are in the first lanes, so that one base register addresses all of them.
    _Alignas(64) struct lane lanes[OSTIARY_BCRYPT_LANES];
    int count;
};

static void wipe(void *memory, size_t length) {
#if defined(__APPLE__)
    memset_s(memory, length, 0, length);
#else
    explicit_bzero(memory, length);
#endif
}

// MARK: - Blowfish

/// One half of a round: the other half of the block, mixed with a subkey, and with the substitution of this half.
static inline __attribute__((always_inline)) uint32_t substitute(const uint32_t *state, uint32_t half, uint32_t mixed) {
    const uint32_t *box = state + SUBKEYS;
    // Keeps the compiler from mixing in the subkey last, which would lengthen the chain of dependent instructions.
#ifndef OSTIARY_BCRYPT_WITHOUT_ASSEMBLY
    __asm__("" : "+r"(mixed));
#endif
    uint32_t sum = box[half >> 24] + box[BOX + (half >> 16 & 0xff)];
    return mixed ^ ((sum ^ box[2 * BOX + (half >> 8 & 0xff)]) + box[3 * BOX + (half & 0xff)]);
}

/// Encrypts a block in each of `count` lanes. A constant `count` unrolls the loops into one sequence of instructions.
static inline __attribute__((always_inline)) void encrypt(
    const struct lane *lanes, int count, uint32_t *left, uint32_t *right) {
#define EACH_LANE _Pragma("clang loop unroll(full)") for (int k = 0; k < count; k++)
    EACH_LANE left[k] ^= lanes[k].state[0];
    _Pragma("clang loop unroll(full)") for (int i = 1; i < SUBKEYS - 1; i += 2) {
        EACH_LANE right[k] = substitute(lanes[k].state, left[k], right[k] ^ lanes[k].state[i]);
        EACH_LANE left[k] = substitute(lanes[k].state, right[k], left[k] ^ lanes[k].state[i + 1]);
    }
    EACH_LANE {
        uint32_t last = right[k] ^ lanes[k].state[SUBKEYS - 1];
        right[k] = left[k];
        left[k] = last;
    }
}

/// Replaces the state of `count` lanes under the key, or the salt, at an offset in the lane.
static inline __attribute__((always_inline)) void expand(struct lane *lanes, int count, size_t offset) {
    uint32_t left[OSTIARY_BCRYPT_LANES] = {0}, right[OSTIARY_BCRYPT_LANES] = {0};
    EACH_LANE {
        const uint32_t *key = (const uint32_t *)((const char *)&lanes[k] + offset);
        for (int i = 0; i < SUBKEYS; i++) lanes[k].state[i] ^= key[i];
    }
    for (int i = 0; i < STATE; i += 2) {
        encrypt(lanes, count, left, right);
        EACH_LANE {
            lanes[k].state[i] = left[k];
            lanes[k].state[i + 1] = right[k];
        }
    }
}

static inline __attribute__((always_inline)) void run(struct lane *lanes, int count, uint32_t rounds) {
    for (uint32_t round = 0; round < rounds; round++) {
        expand(lanes, count, offsetof(struct lane, key));
        expand(lanes, count, offsetof(struct lane, salt));
    }
}

// Functions of their own, so that each has the registers to itself.
static __attribute__((noinline)) void run_one(struct lane *lanes, uint32_t rounds) { run(lanes, 1, rounds); }
static __attribute__((noinline)) void run_two(struct lane *lanes, uint32_t rounds) { run(lanes, 2, rounds); }
static __attribute__((noinline)) void run_three(struct lane *lanes, uint32_t rounds) { run(lanes, 3, rounds); }
static __attribute__((noinline)) void run_four(struct lane *lanes, uint32_t rounds) { run(lanes, 4, rounds); }

// MARK: - Settings

/// Returns the value of a character in bcrypt's base 64, or -1. The characters of a salt are no secret.
static int base64_value(char character) {
    if (character == '.' || character == '/') return character - '.';
    if (character >= 'A' && character <= 'Z') return character - 'A' + 2;
    if (character >= 'a' && character <= 'z') return character - 'a' + 28;
    if (character >= '0' && character <= '9') return character - '0' + 54;
    return -1;
}

/// Returns the character of six bits in bcrypt's base 64, without a branch or a table.
static char base64_character(uint32_t value) {
    uint32_t is_letter = (1 - value) >> 31, is_lowercase = (27 - value) >> 31, is_digit = (53 - value) >> 31;
    return (char)('.' + value + is_letter * ('A' - '0') + is_lowercase * ('a' - 'Z' - 1) - is_digit * ('z' + 1 - '0'));
}

/// Decodes the 22 characters of a salt, of which the last has two bits that count.
static bool read_salt(const char *text, uint32_t salt[SALT_WORDS]) {
    uint64_t bits = 0;
    int count = 0, word = 0;
    for (int i = 0; i < 22; i++) {
        int value = base64_value(text[i]);
        if (value < 0) return false;
        bits = bits << 6 | (uint64_t)value;
        count += 6;
        if (count >= 32) {
            count -= 32;
            salt[word++] = (uint32_t)(bits >> count);
        }
    }
    return true;
}

/// Reads the cost and the salt; false for a setting of another algorithm, and for `$2x$`, which marks hashes of an
/// implementation with a defect.
static bool read_setting(const char *text, size_t length, uint32_t *rounds, uint32_t salt[SALT_WORDS]) {
    if (length < SETTING_LENGTH || text[0] != '$' || text[1] != '2' || text[3] != '$' || text[6] != '$') return false;
    if (text[2] != 'a' && text[2] != 'b' && text[2] != 'y') return false;
    if (text[4] < '0' || text[4] > '9' || text[5] < '0' || text[5] > '9') return false;
    int cost = (text[4] - '0') * 10 + (text[5] - '0');
    if (cost < 4 || cost > 31) return false;
    *rounds = (uint32_t)1 << cost;
    return read_salt(text + 7, salt);
}

// MARK: - Key schedule

/// Repeats the password and a NUL to the length of the subkeys.
///
/// - Returns: One if a `$2a$` hash of this password is deviant, else zero. crypt_blowfish, from which libxcrypt's bcrypt
///   comes, once had a defect that extended the signs of characters. Its `$2a$` since deviates for the passwords whose
///   correct hash many others shared under the defect: where a sign was extended within a word and no word changed.
static uint32_t read_password(const char *password, size_t length, uint32_t key[SUBKEYS]) {
    unsigned char bytes[KEY_BYTES + 1] = {0};
    if (length > 0) memcpy(bytes, password, length < KEY_BYTES ? length : KEY_BYTES);
    uint32_t changed = 0, extended = 0;
    for (size_t i = 0, position = 0; i < SUBKEYS; i++) {
        uint32_t word = 0, defective = 0;
        for (int j = 0; j < 4; j++) {
            uint32_t byte = bytes[position];
            word = word << 8 | byte;
            defective = defective << 8 | byte | -(byte >> 7) << 8;
            if (j > 0) extended |= byte >> 7;
            position = position < length ? position + 1 : 0;
        }
        key[i] = word;
        changed |= word ^ defective;
    }
    wipe(bytes, sizeof bytes);
    return extended & ~((changed | -changed) >> 31);
}

/// Sets up the state that the rounds begin with: the key schedule under password and salt.
static void set_up(struct lane *lane, uint32_t deviation) {
    memcpy(lane->state, fraction_of_pi, sizeof lane->state);
    for (int i = 0; i < SUBKEYS; i++) lane->state[i] ^= lane->key[i];
    lane->state[0] ^= deviation;
    uint32_t left = 0, right = 0;
    for (int i = 0; i < STATE; i += 2) {
        left ^= lane->salt[i & 2];
        right ^= lane->salt[(i & 2) + 1];
        encrypt(lane, 1, &left, &right);
        lane->state[i] = left;
        lane->state[i + 1] = right;
    }
}

/// Encrypts bcrypt's constant 64 times with the state after all rounds.
static void finish(const struct lane *lane, char output[OSTIARY_BCRYPT_HASH_LENGTH + 1]) {
    // "OrpheanBeholderScryDoubt"
    uint32_t digest[DIGEST_WORDS + 1] = {0x4f727068, 0x65616e42, 0x65686f6c, 0x64657253, 0x63727944, 0x6f756274, 0};
    for (int i = 0; i < DIGEST_WORDS; i += 2) {
        for (int repetition = 0; repetition < 64; repetition++) encrypt(lane, 1, &digest[i], &digest[i + 1]);
    }
    memcpy(output, lane->setting, SETTING_LENGTH);
    // The bits of the salt's last character that do not count are zero in a hash.
    output[SETTING_LENGTH - 1] = base64_character((uint32_t)base64_value(output[SETTING_LENGTH - 1]) & 0x30);
    digest[DIGEST_WORDS - 1] &= 0xffffff00;
    for (int bit = 0, next = SETTING_LENGTH; bit < 8 * DIGEST_BYTES; bit += 6) {
        uint64_t words = (uint64_t)digest[bit / 32] << 32 | digest[bit / 32 + 1];
        output[next++] = base64_character(words >> (58 - bit % 32) & 0x3f);
    }
    output[OSTIARY_BCRYPT_HASH_LENGTH] = 0;
    wipe(digest, sizeof digest);
}

// MARK: - Groups

struct ostiary_bcrypt_group *ostiary_bcrypt_group_create(void) {
    struct ostiary_bcrypt_group *group = aligned_alloc(_Alignof(struct ostiary_bcrypt_group), sizeof *group);
    if (group) memset(group, 0, sizeof *group);
    return group;
}

void ostiary_bcrypt_group_destroy(struct ostiary_bcrypt_group *group) {
    if (!group) return;
    wipe(group, sizeof *group);
    free(group);
}

bool ostiary_bcrypt_start(
    struct ostiary_bcrypt_group *group, int job, const char *password, size_t length, const char *setting,
    size_t setting_length) {
    uint32_t rounds, salt[SALT_WORDS];
    if (group->count == OSTIARY_BCRYPT_LANES || (length > 0 && memchr(password, 0, length))) return false;
    if (!read_setting(setting, setting_length, &rounds, salt)) return false;
    struct lane *lane = &group->lanes[group->count++];
    uint32_t is_deviant = read_password(password, length, lane->key);
    for (int i = 0; i < SUBKEYS; i++) lane->salt[i] = salt[i % SALT_WORDS];
    lane->rounds_left = rounds;
    lane->job = job;
    memcpy(lane->setting, setting, SETTING_LENGTH);
    set_up(lane, setting[2] == 'a' ? is_deviant << 16 : 0);
    return true;
}

void ostiary_bcrypt_run(struct ostiary_bcrypt_group *group, uint32_t rounds) {
    for (int k = 0; k < group->count; k++) {
        if (rounds > group->lanes[k].rounds_left) rounds = group->lanes[k].rounds_left;
    }
    switch (group->count) {
    case 1: run_one(group->lanes, rounds); break;
    case 2: run_two(group->lanes, rounds); break;
    case 3: run_three(group->lanes, rounds); break;
    case 4: run_four(group->lanes, rounds); break;
    }
    for (int k = 0; k < group->count; k++) group->lanes[k].rounds_left -= rounds;
}

bool ostiary_bcrypt_take(
    struct ostiary_bcrypt_group *group, int *job, char output[OSTIARY_BCRYPT_HASH_LENGTH + 1]) {
    for (int k = 0; k < group->count; k++) {
        struct lane *lane = &group->lanes[k];
        if (lane->rounds_left > 0) continue;
        finish(lane, output);
        *job = lane->job;
        group->count--;
        memmove(lane, lane + 1, (size_t)(group->count - k) * sizeof *lane);
        wipe(&group->lanes[group->count], sizeof *lane);
        return true;
    }
    return false;
}
