#ifndef OSTIARY_MAXMIND_DB_H
#define OSTIARY_MAXMIND_DB_H

#include <stdbool.h>
#include <stdint.h>

/// An open database in the MaxMind DB format.
struct ostiary_maxmind_file;

/// The values of one network, as far as a database has them.
struct ostiary_maxmind_record {
    bool has_country;
    bool has_coordinates;
    bool has_system_number;
    bool is_anonymous;
    /// ISO 3166-1, two upper-case letters and a zero byte.
    char country[3];
    uint32_t system_number;
    double latitude;
    double longitude;
    /// In kilometres; 0 if the database has none.
    double accuracy_radius;
};

/// Opens a file, which is mapped.
///
/// - Returns: NULL for a file that is unreadable or damaged; `*error` is the library's constant text then.
struct ostiary_maxmind_file *ostiary_maxmind_open(const char *path, const char **error);

void ostiary_maxmind_close(struct ostiary_maxmind_file *file);

/// Adds the values of an address's network to a record. The address is numeric.
///
/// - Returns: false for a text that is no address, and for a part of the file that is damaged.
bool ostiary_maxmind_read(
    const struct ostiary_maxmind_file *file, const char *address, struct ostiary_maxmind_record *record);

#endif
