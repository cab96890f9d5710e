// Compares CBcrypt with libxcrypt on random passwords, salts, versions and costs, in groups whose lanes fill and empty at
// different times, and with published hashes. Run by Scripts/check-bcrypt.sh, under the sanitizers.
//
// compare COUNT [SEED]

#ifdef BRANCHES
// The sanitizer takes an assembly statement for a branch.
#define OSTIARY_BCRYPT_WITHOUT_ASSEMBLY
#endif

// The source and not the header, to see that its memory is wiped.
#include "../../Sources/CBcrypt/CBcrypt.c"

#include <crypt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WRITTEN_BY_LIBRARY(text) __msan_unpoison_string(text)
#endif
#endif
#ifndef WRITTEN_BY_LIBRARY
#define WRITTEN_BY_LIBRARY(text) (void)(text)
#endif

#define CHECK(condition) \
    if (!(condition)) { \
        fprintf(stderr, "%s:%d: not so: %s (seed %llu)\n", __FILE__, __LINE__, #condition, (unsigned long long)seed); \
        exit(1); \
    }

static uint64_t seed, state;

/// SplitMix64, so that a failure can be repeated with its seed.
static uint32_t random_below(uint32_t bound) {
    uint64_t value = state += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return (uint32_t)((value ^ value >> 31) >> 32) % bound;
}

struct input {
    char password[128];
    char setting[OSTIARY_BCRYPT_HASH_LENGTH + 1];
};

static void make_password(char *password) {
    // Around the 72 bytes that count as often as anywhere; with few values, so that sequences such as FF A3 occur.
    static const unsigned char awkward[] = {0xff, 0xff, 0xa3, 0x80, 0x7f, 0x01, 'a'};
    uint32_t length = random_below(4) ? random_below(40) : 68 + random_below(12), kind = random_below(3);
    for (uint32_t i = 0; i < length; i++) {
        password[i] = (char)(kind == 0   ? 1 + random_below(255)
                             : kind == 1 ? ' ' + random_below(95)
                                         : awkward[random_below(sizeof awkward)]);
    }
    password[length] = 0;
}

/// Low costs mostly: a hash of cost 12 takes as long as 256 of cost 4.
static int random_cost(void) {
    int cost = 4;
    while (cost < 12 && random_below(5) == 0) cost++;
    return cost;
}

static void make_setting(char *setting) {
    static const char digits[] = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    int length = sprintf(setting, "$2%c$%02d$", "aby"[random_below(3)], random_cost());
    for (int i = 0; i < 22; i++) setting[length++] = digits[random_below(64)];
    setting[length] = 0;
    // A whole hash is a setting too; what follows the salt is ignored.
    if (random_below(4) == 0) strcat(setting, "E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW");
}

static bool start(struct ostiary_bcrypt_group *group, int job, const char *password, const char *setting) {
    return ostiary_bcrypt_start(group, job, password, strlen(password), setting, strlen(setting));
}

static bool is_wiped(const void *memory, size_t length) {
    const char *bytes = memory;
    while (length > 0 && bytes[length - 1] == 0) length--;
    return length == 0;
}

static void compare_random(int count) {
    struct ostiary_bcrypt_group *group = ostiary_bcrypt_group_create();
    struct crypt_data *data = calloc(1, sizeof *data);
    struct input *inputs = calloc((size_t)count, sizeof *inputs);
    CHECK(group && data && inputs);
    int started = 0, taken = 0, running = 0;
    while (taken < count) {
        // A group of any size, which the next hash joins at any round.
        while (started < count && running < OSTIARY_BCRYPT_LANES && (running == 0 || random_below(3))) {
            struct input *input = &inputs[started];
            make_password(input->password);
            make_setting(input->setting);
            CHECK(start(group, started, input->password, input->setting));
            started++, running++;
        }
        if (running == OSTIARY_BCRYPT_LANES) CHECK(!start(group, 0, "", inputs[0].setting));
        ostiary_bcrypt_run(group, 1 + random_below(40));
        int job;
        char output[OSTIARY_BCRYPT_HASH_LENGTH + 1];
        while (ostiary_bcrypt_take(group, &job, output)) {
            const char *expected = crypt_r(inputs[job].password, inputs[job].setting, data);
            CHECK(expected);
            WRITTEN_BY_LIBRARY(expected);
            if (strcmp(expected, output) != 0) fprintf(stderr, "setting %s: %s\n", inputs[job].setting, output);
            CHECK(strcmp(expected, output) == 0);
            taken++, running--;
        }
        for (int k = running; k < OSTIARY_BCRYPT_LANES; k++) CHECK(is_wiped(&group->lanes[k], sizeof *group->lanes));
    }
    int job;
    char output[OSTIARY_BCRYPT_HASH_LENGTH + 1];
    CHECK(running == 0 && !ostiary_bcrypt_take(group, &job, output));
    ostiary_bcrypt_group_destroy(group);
    free(inputs);
    free(data);
}

/// Published by crypt_blowfish and by John the Ripper.
static void compare_published(void) {
#define SALT "$/OK.fbVrR/bpIqNJ5ianF."
    static const struct {
        const char *hash, *password;
    } vectors[] = {
        {"$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U"},
        {"$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK", "U*U*"},
        {"$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a", "U*U*U"},
        {"$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy", ""},
        // 72 bytes, and longer: the rest is ignored.
        {"$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui",
         "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"},
        {"$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui",
         "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored"},
        // Characters of eight bits, whose sign an old defect extended.
        {"$2y$05" SALT "CE5elHaaO4EbggVDjb8P19RukzXSM3e", "\xff\xff\xa3"},
        {"$2b$05" SALT "CE5elHaaO4EbggVDjb8P19RukzXSM3e", "\xff\xff\xa3"},
        {"$2y$05" SALT "Sa7shbm4.OzKpvFnX1pQLmQW96oUlCq", "\xa3"},
        {"$2a$05" SALT "Sa7shbm4.OzKpvFnX1pQLmQW96oUlCq", "\xa3"},
        {"$2b$05" SALT "Sa7shbm4.OzKpvFnX1pQLmQW96oUlCq", "\xa3"},
        {"$2y$05" SALT "nRht2l/HRhr6zmCp9vYUvvsqynflf9e", "\xff\xa3" "345"},
        {"$2a$05" SALT "nRht2l/HRhr6zmCp9vYUvvsqynflf9e", "\xff\xa3" "345"},
        {"$2a$05" SALT "6IflQkJytoRVc1yuaNtHfiuq.FRlSIS", "\xa3" "ab"},
        // Deviations of `$2a$`.
        {"$2a$05" SALT "nqd1wy.pTMdcvrRWxyiGL2eMz.2a85.", "\xff\xff\xa3"},
        {"$2a$05" SALT "ZC1JEJ8Z4gPfpe1JOr/oyPXTWl9EFd.", "\xff\xa3" "34" "\xff\xff\xff\xa3" "345"},
    };
    struct ostiary_bcrypt_group *group = ostiary_bcrypt_group_create();
    CHECK(group);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        int job = -1;
        char output[OSTIARY_BCRYPT_HASH_LENGTH + 1] = "";
        CHECK(start(group, (int)i, vectors[i].password, vectors[i].hash));
        while (!ostiary_bcrypt_take(group, &job, output)) ostiary_bcrypt_run(group, UINT32_MAX);
        if (strcmp(output, vectors[i].hash) != 0) fprintf(stderr, "%s\n%s\n", output, vectors[i].hash);
        CHECK(job == (int)i && strcmp(output, vectors[i].hash) == 0);
    }
    ostiary_bcrypt_group_destroy(group);
}

static void check_refusals(void) {
    static const char *const settings[] = {
        "", "$2b$", "$2b$04$", "$2b$04$CCCCCCCCCCCCCCCCCCCCC", "$2x$04$CCCCCCCCCCCCCCCCCCCCC.", "$2$04$CCCCCCCCCCCCCCCCCCCCC.u",
        "$2c$04$CCCCCCCCCCCCCCCCCCCCC.", "$2b$03$CCCCCCCCCCCCCCCCCCCCC.", "$2b$32$CCCCCCCCCCCCCCCCCCCCC.",
        "$2b$4$CCCCCCCCCCCCCCCCCCCCC.u", "$2b$ 4$CCCCCCCCCCCCCCCCCCCCC.", "$2b$0:$CCCCCCCCCCCCCCCCCCCCC.",
        "$2b$04$CCCCCCCCCCCCCCCCCCCCC=", "$2b$04$CCCCCCCCCC CCCCCCCCCC.", "$2b$04$CCCCCCCCCC\351CCCCCCCCCC.",
        "$2b$04.CCCCCCCCCCCCCCCCCCCCC.", "$2b.04$CCCCCCCCCCCCCCCCCCCCC.", "$1b$04$CCCCCCCCCCCCCCCCCCCCC.",
        "22b$04$CCCCCCCCCCCCCCCCCCCCC.",
    };
    static const char nul_in_salt[] = "$2b$04$CCCCCCCCCC\0CCCCCCCCCC.", whole[] = "$2b$04$CCCCCCCCCCCCCCCCCCCCC.";
    struct ostiary_bcrypt_group *group = ostiary_bcrypt_group_create();
    CHECK(group);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) CHECK(!start(group, 0, "password", settings[i]));
    CHECK(!ostiary_bcrypt_start(group, 0, "password", 8, nul_in_salt, sizeof nul_in_salt - 1));
    CHECK(!ostiary_bcrypt_start(group, 0, "pass\0word", 9, whole, sizeof whole - 1));
    CHECK(!ostiary_bcrypt_start(group, 0, "\0", 1, whole, sizeof whole - 1));
    CHECK(group->count == 0);
    ostiary_bcrypt_run(group, 1);
    CHECK(ostiary_bcrypt_start(group, 7, NULL, 0, whole, sizeof whole - 1));
    ostiary_bcrypt_group_destroy(group);
    ostiary_bcrypt_group_destroy(NULL);
}

/// Computes a hash of a secret that the memory sanitizer takes for uninitialized: it reports a branch on it.
static void check_branches(void) {
#ifdef BRANCHES
    struct ostiary_bcrypt_group *group = ostiary_bcrypt_group_create();
    char password[] = "\xff\xa3" "34" "\xff\xff\xff\xa3" "345", output[OSTIARY_BCRYPT_HASH_LENGTH + 1];
    static const char expected[] = "$2a$05$/OK.fbVrR/bpIqNJ5ianF.ZC1JEJ8Z4gPfpe1JOr/oyPXTWl9EFd.";
    CHECK(group);
    for (int i = 0; i < OSTIARY_BCRYPT_LANES; i++) CHECK(start(group, 0, password, expected));
    __msan_poison(password, sizeof password);
    for (int i = 0; i < OSTIARY_BCRYPT_LANES; i++) {
        struct lane *lane = &group->lanes[i];
        set_up(lane, read_password(password, sizeof password - 1, lane->key) << 16);
        CHECK(__msan_test_shadow(lane->state, sizeof lane->state) == 0);
    }
    ostiary_bcrypt_run(group, 32);
    int job;
    CHECK(ostiary_bcrypt_take(group, &job, output));
    CHECK(__msan_test_shadow(output + 29, 31) == 0);
    __msan_unpoison(output, sizeof output);
    CHECK(strcmp(output, expected) == 0);
    ostiary_bcrypt_group_destroy(group);
#endif
}

int main(int count, char **arguments) {
    state = seed = count > 2 ? strtoull(arguments[2], NULL, 10) : (uint64_t)time(NULL);
    compare_published();
    check_refusals();
    check_branches();
    compare_random(count > 1 ? atoi(arguments[1]) : 100);
}
