// Reads the few values of a record that the server uses. Swift cannot import the unions of libmaxminddb's values.

#include "OstiaryMaxMindDB.h"

#include <math.h>
#include <maxminddb.h>
#include <stdlib.h>
#include <string.h>

struct ostiary_maxmind_file {
    MMDB_s database;
};

struct ostiary_maxmind_file *ostiary_maxmind_open(const char *path, const char **error) {
    struct ostiary_maxmind_file *file = calloc(1, sizeof(*file));
    if (file == NULL) {
        *error = MMDB_strerror(MMDB_OUT_OF_MEMORY_ERROR);
        return NULL;
    }
    int status = MMDB_open(path, MMDB_MODE_MMAP, &file->database);
    if (status != MMDB_SUCCESS) {
        *error = MMDB_strerror(status);
        free(file);
        return NULL;
    }
    return file;
}

void ostiary_maxmind_close(struct ostiary_maxmind_file *file) {
    MMDB_close(&file->database);
    free(file);
}

static bool value_at(MMDB_entry_s *entry, const char *const *path, MMDB_entry_data_s *value) {
    return MMDB_aget_value(entry, value, path) == MMDB_SUCCESS && value->has_data;
}

/// Writers choose the type of a number by its size.
static bool number_at(MMDB_entry_s *entry, const char *const *path, double *number) {
    MMDB_entry_data_s value;
    if (!value_at(entry, path, &value)) return false;
    switch (value.type) {
    case MMDB_DATA_TYPE_DOUBLE: *number = value.double_value; break;
    case MMDB_DATA_TYPE_FLOAT: *number = value.float_value; break;
    case MMDB_DATA_TYPE_UINT16: *number = value.uint16; break;
    case MMDB_DATA_TYPE_UINT32: *number = value.uint32; break;
    case MMDB_DATA_TYPE_INT32: *number = value.int32; break;
    case MMDB_DATA_TYPE_UINT64: *number = (double)value.uint64; break;
    default: return false;
    }
    return isfinite(*number);
}

static bool is_true(MMDB_entry_s *entry, const char *key) {
    const char *path[] = {key, NULL};
    MMDB_entry_data_s value;
    return value_at(entry, path, &value) && value.type == MMDB_DATA_TYPE_BOOLEAN && value.boolean;
}

static void read_country(MMDB_entry_s *entry, struct ostiary_maxmind_record *record) {
    const char *path[] = {"country", "iso_code", NULL};
    MMDB_entry_data_s value;
    if (!value_at(entry, path, &value) || value.type != MMDB_DATA_TYPE_UTF8_STRING || value.data_size != 2) return;
    for (int index = 0; index < 2; index++) {
        if (value.utf8_string[index] < 'A' || value.utf8_string[index] > 'Z') return;
    }
    memcpy(record->country, value.utf8_string, 2);
    record->country[2] = 0;
    record->has_country = true;
}

static void read_coordinates(MMDB_entry_s *entry, struct ostiary_maxmind_record *record) {
    const char *latitude_path[] = {"location", "latitude", NULL};
    const char *longitude_path[] = {"location", "longitude", NULL};
    const char *radius_path[] = {"location", "accuracy_radius", NULL};
    double latitude, longitude, radius;
    if (!number_at(entry, latitude_path, &latitude) || !number_at(entry, longitude_path, &longitude)) return;
    if (latitude < -90 || latitude > 90 || longitude < -180 || longitude > 180) return;
    record->latitude = latitude;
    record->longitude = longitude;
    record->accuracy_radius = number_at(entry, radius_path, &radius) && radius > 0 ? radius : 0;
    record->has_coordinates = true;
}

static void read_system_number(MMDB_entry_s *entry, struct ostiary_maxmind_record *record) {
    const char *path[] = {"autonomous_system_number", NULL};
    double number;
    if (!number_at(entry, path, &number) || number < 1 || number > UINT32_MAX) return;
    record->system_number = (uint32_t)number;
    record->has_system_number = true;
}

bool ostiary_maxmind_read(
    const struct ostiary_maxmind_file *file, const char *address, struct ostiary_maxmind_record *record) {
    static const char *const anonymous[] = {
        "is_anonymous", "is_anonymous_vpn", "is_public_proxy", "is_residential_proxy", "is_tor_exit_node",
    };
    int address_error = 0;
    int status = MMDB_SUCCESS;
    MMDB_lookup_result_s found = MMDB_lookup_string(&file->database, address, &address_error, &status);
    // An IPv6 address has no place in a database of IPv4 networks.
    if (status == MMDB_IPV6_LOOKUP_IN_IPV4_DATABASE_ERROR) return true;
    if (address_error != 0 || status != MMDB_SUCCESS) return false;
    if (!found.found_entry) return true;
    read_country(&found.entry, record);
    read_coordinates(&found.entry, record);
    read_system_number(&found.entry, record);
    for (size_t index = 0; index < sizeof(anonymous) / sizeof(anonymous[0]); index++) {
        if (is_true(&found.entry, anonymous[index])) record->is_anonymous = true;
    }
    return true;
}
