#ifndef OSTIARY_CURL_H
#define OSTIARY_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One email and the server that accepts it. Strings are UTF-8 and live until the call returns.
struct ostiary_mail {
    /// `smtp://host:port/name` or `smtps://host:port/name`, where `name` is the argument of EHLO. Without credentials.
    const char *url;
    /// NULL where the server requires none.
    const char *username;
    const char *password;
    /// The sender and the one recipient of the envelope, without angle brackets.
    const char *from;
    const char *recipient;
    /// True if an `smtp` connection must be upgraded to TLS before any other command is sent. False never upgrades.
    bool requires_tls;
    /// A PEM file of the only certificate authorities to trust; NULL for the system's.
    const char *certificate_authorities;
    long connect_timeout_milliseconds;
    /// The time limit of the whole transfer, the connection included.
    long timeout_milliseconds;
    /// The headers and the body, with CRLF line ends.
    const uint8_t *message;
    size_t message_length;
    /// Called about once a second, on the calling thread; true ends the transfer.
    bool (*is_cancelled)(const void *context);
    const void *context;
};

/// The outcome of sending an email, as libcurl reports it.
struct ostiary_mail_result {
    enum ostiary_mail_outcome {
        OSTIARY_MAIL_ACCEPTED,
        /// The server refused the sender, the recipient or the message; `status` holds the reply code.
        OSTIARY_MAIL_REFUSED,
        /// The server was not reached, closed the connection, or refused the client.
        OSTIARY_MAIL_FAILED,
        OSTIARY_MAIL_CANCELLED
    } outcome;
    /// The last SMTP reply code; 0 if there was none.
    long status;
    /// libcurl's description of its result code: a constant text, which contains nothing of the message or the server's
    /// replies.
    const char *reason;
};

/// Sends one email and waits for the server's final reply. Blocks: call it on a dedicated thread.
struct ostiary_mail_result ostiary_mail_send(const struct ostiary_mail *mail);

#endif
