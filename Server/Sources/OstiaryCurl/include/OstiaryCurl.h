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
    /// True if the recipient or the message's headers are not ASCII: only a server with SMTPUTF8 gets the email then. Source: RFC
    /// 6531 §3.1.
    bool requires_utf8;
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
        /// The email requires SMTPUTF8, which the server does not announce. Nothing of it was sent.
        OSTIARY_MAIL_WITHOUT_UTF8,
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

/// The outcome of a connection to a mail server without a mail.
struct ostiary_mail_reach {
    enum ostiary_mail_reach_outcome {
        /// The server accepted the connection, and the login if there is one.
        OSTIARY_MAIL_READY,
        OSTIARY_MAIL_UNRESOLVED,
        OSTIARY_MAIL_UNREACHABLE,
        OSTIARY_MAIL_TIMED_OUT,
        /// The server does not offer STARTTLS, or does not speak TLS at the port.
        OSTIARY_MAIL_WITHOUT_TLS,
        OSTIARY_MAIL_UNTRUSTED,
        OSTIARY_MAIL_LOGIN_REFUSED,
        OSTIARY_MAIL_BROKEN
    } outcome;
    /// libcurl's description of its result code: a constant text.
    const char *reason;
};

/// Connects as ``ostiary_mail_send`` does, logs in, sends NOOP and ends the connection. Of `mail`, the sender, the recipient and
/// the message are not used. Blocks: call it on a dedicated thread.
struct ostiary_mail_reach ostiary_mail_examine(const struct ostiary_mail *mail);

/// One POST request to another system. Strings are UTF-8 and live until the call returns.
struct ostiary_request {
    /// An absolute http or https URL.
    const char *url;
    /// Header lines, `Name: value`.
    const char *const *headers;
    size_t header_count;
    const uint8_t *body;
    size_t body_length;
    /// A PEM file of the only certificate authorities to trust; NULL for the system's.
    const char *certificate_authorities;
    /// Entries `host:port:address`, which replace the lookup of a name; NULL for none. For tests.
    const char *resolution;
    /// The time limit of the whole request, the lookup and the connection included.
    long timeout_milliseconds;
    /// The buffer for the body of the answer; more is not read.
    uint8_t *answer;
    size_t answer_capacity;
    /// Called with the 4 or 16 bytes of each address before it is connected to, on the calling thread; false refuses it.
    bool (*is_allowed)(const void *context, const uint8_t *address, size_t length);
    /// Called about once a second, on the calling thread; true ends the request.
    bool (*is_cancelled)(const void *context);
    const void *context;
};

/// The outcome of a request, as libcurl reports it.
struct ostiary_answer {
    enum ostiary_request_outcome {
        /// The answer was read, up to the capacity of the buffer.
        OSTIARY_REQUEST_ANSWERED,
        /// Every address of the host was refused.
        OSTIARY_REQUEST_ADDRESS_REFUSED,
        OSTIARY_REQUEST_TIMED_OUT,
        OSTIARY_REQUEST_FAILED,
        OSTIARY_REQUEST_CANCELLED
    } outcome;
    /// The status of the answer; 0 if there was none.
    long status;
    size_t answer_length;
    /// True if the answer was longer than the buffer.
    bool is_truncated;
    /// libcurl's description of its result code: a constant text.
    const char *reason;
};

/// Sends one request and waits for the answer. Follows no redirect and uses no proxy. Blocks: call it on a dedicated thread.
struct ostiary_answer ostiary_request_send(const struct ostiary_request *request);

#endif
