#ifndef OSTIARY_RESOLVER_H
#define OSTIARY_RESOLVER_H

#include <stddef.h>
#include <stdint.h>

/// A question for the TXT records of a name.
struct ostiary_dns_question {
    const char *name;
    /// The IPv4 address of the only name server to ask; NULL for those of the system.
    const char *server;
    uint16_t port;
    /// The time for each name server, in seconds.
    int timeout;
    /// The buffer for the records: each is its length in two bytes, the higher first, and its text.
    uint8_t *records;
    size_t capacity;
};

enum ostiary_dns_outcome {
    /// The buffer has the records; those that did not fit are left out.
    OSTIARY_DNS_ANSWERED,
    /// There is no such name, or it has no TXT record.
    OSTIARY_DNS_NONE,
    /// No name server answered, or it failed.
    OSTIARY_DNS_UNANSWERED
};

struct ostiary_dns_answer {
    enum ostiary_dns_outcome outcome;
    /// The bytes of the buffer in use.
    size_t length;
};

/// Asks by the C library's resolver, without its search list. Blocks: call it on a dedicated thread.
struct ostiary_dns_answer ostiary_dns_texts(const struct ostiary_dns_question *question);

#endif
