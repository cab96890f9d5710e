#ifndef OSTIARY_CURL_H
#define OSTIARY_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One email and the server that takes it. Strings are UTF-8 and live until the call returns.
struct ostiary_mail {
    /// `smtp://host:port/name` or `smtps://host:port/name`, where `name` is what EHLO says. Without credentials.
    const char *url;
    /// NULL where the server asks for none.
    const char *username;
    const char *password;
    /// The sender and the one recipient of the envelope, without angle brackets.
    const char *from;
    const char *recipient;
    /// Whether an `smtp` connection must be upgraded to TLS before anything is said on it. False never upgrades.
    bool requires_tls;
    /// A PEM file of the only certificate authorities to trust; NULL for the system's.
    const char *certificate_authorities;
    long connect_timeout_milliseconds;
    /// For everything, the connection included.
    long timeout_milliseconds;
    /// The headers and the body, with CRLF line ends.
    const uint8_t *message;
    size_t message_length;
    /// Asked about once a second, on the calling thread; true ends the transfer.
    bool (*is_cancelled)(const void *context);
    const void *context;
};

/// What became of an email, as libcurl tells it.
struct ostiary_mail_result {
    enum ostiary_mail_outcome {
        OSTIARY_MAIL_ACCEPTED,
        /// The server refused the sender, the recipient or the message; `status` says how.
        OSTIARY_MAIL_REFUSED,
        /// The server was not reached, hung up, or does not accept us.
        OSTIARY_MAIL_FAILED,
        OSTIARY_MAIL_CANCELLED
    } outcome;
    /// The last SMTP reply code; 0 if there was none.
    long status;
    /// libcurl's words for its result code: a constant text, which holds nothing of the message or the server's replies.
    const char *reason;
};

/// Sends one email and waits for the server's last word. Blocks: call it on a thread of its own.
struct ostiary_mail_result ostiary_mail_send(const struct ostiary_mail *mail);

#endif
