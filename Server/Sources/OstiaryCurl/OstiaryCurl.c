// Wrappers that send one email or one request. Swift cannot call libcurl's variadic functions.

#include "OstiaryCurl.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

static pthread_once_t initialisation = PTHREAD_ONCE_INIT;
static CURLcode initialised = CURLE_FAILED_INIT;

static void initialise(void) { initialised = curl_global_init(CURL_GLOBAL_DEFAULT); }

struct upload {
    const uint8_t *next;
    size_t left;
};

static size_t read_message(char *buffer, size_t size, size_t count, void *context) {
    struct upload *upload = context;
    size_t length = size * count < upload->left ? size * count : upload->left;
    memcpy(buffer, upload->next, length);
    upload->next += length;
    upload->left -= length;
    return length;
}

static size_t discard_reply(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    return size * count;
}

/// The replies of a mail server up to that to EHLO, for an email that requires SMTPUTF8.
struct greeting {
    /// The replies 220 that come before the EHLO that counts: the greeting, and that to STARTTLS.
    int left;
    bool has_utf8;
    bool is_complete;
};

/// Ends the transfer after the reply to EHLO, and so before the envelope, if it does not announce SMTPUTF8.
static size_t read_reply(char *line, size_t size, size_t count, void *context) {
    struct greeting *greeting = context;
    size_t length = size * count;
    if (greeting->is_complete || length < 4) return length;
    bool is_last = line[3] != '-';
    if (memcmp(line, "220", 3) == 0 && is_last) greeting->left -= 1;
    // Without EHLO there are no extensions: libcurl would continue with HELO.
    if (line[0] == '5' && greeting->left <= 0) {
        greeting->is_complete = true;
        return 0;
    }
    if (memcmp(line, "250", 3) != 0 || greeting->left > 0) return length;
    // The comparison of libcurl, which adds the parameter SMTPUTF8 to the envelope only then.
    static const char keyword[] = "SMTPUTF8";
    size_t end = 4 + sizeof keyword - 1;
    if (length >= end && memcmp(line + 4, keyword, sizeof keyword - 1) == 0 &&
        (length == end || line[end] == ' ' || line[end] == '\r' || line[end] == '\n')) {
        greeting->has_utf8 = true;
    }
    if (!is_last) return length;
    greeting->is_complete = true;
    return greeting->has_utf8 ? length : 0;
}

static int report_progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)a, (void)b, (void)c, (void)d;
    const struct ostiary_mail *mail = context;
    return mail->is_cancelled && mail->is_cancelled(mail->context) ? 1 : 0;
}

/// Returns true if a reply that ended the transfer concerned this email, and not the client or the connection.
static bool is_about_message(CURLcode code) {
    return code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR || code == CURLE_WEIRD_SERVER_REPLY;
}

static struct ostiary_mail_result failure(CURLcode code, long status) {
    struct ostiary_mail_result result = {OSTIARY_MAIL_FAILED, status, curl_easy_strerror(code)};
    if (code == CURLE_OK) result.outcome = OSTIARY_MAIL_ACCEPTED;
    if (code == CURLE_ABORTED_BY_CALLBACK) result.outcome = OSTIARY_MAIL_CANCELLED;
    if (status >= 400 && is_about_message(code)) result.outcome = OSTIARY_MAIL_REFUSED;
    return result;
}

#define SET(option, value) if (code == CURLE_OK) code = curl_easy_setopt(curl, option, value)

/// Sets what every connection to a mail server has.
static CURLcode set_mail_connection(CURL *curl, const struct ostiary_mail *mail) {
    CURLcode code = CURLE_OK;
    SET(CURLOPT_URL, mail->url);
    SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    // Ignores a proxy from the environment, which would receive the credentials.
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, mail->connect_timeout_milliseconds);
    SET(CURLOPT_TIMEOUT_MS, mail->timeout_milliseconds);

    SET(CURLOPT_USE_SSL, (long)(mail->requires_tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (mail->certificate_authorities) {
        SET(CURLOPT_CAINFO, mail->certificate_authorities);
        SET(CURLOPT_CAPATH, NULL);
    }
    if (mail->username) SET(CURLOPT_USERNAME, mail->username);
    if (mail->password) SET(CURLOPT_PASSWORD, mail->password);
    SET(CURLOPT_WRITEFUNCTION, discard_reply);
    return code;
}

static enum ostiary_mail_reach_outcome reach(CURLcode code) {
    switch (code) {
    case CURLE_OK: return OSTIARY_MAIL_READY;
    case CURLE_COULDNT_RESOLVE_HOST: return OSTIARY_MAIL_UNRESOLVED;
    case CURLE_COULDNT_CONNECT: return OSTIARY_MAIL_UNREACHABLE;
    case CURLE_OPERATION_TIMEDOUT: return OSTIARY_MAIL_TIMED_OUT;
    case CURLE_USE_SSL_FAILED:
    case CURLE_SSL_CONNECT_ERROR: return OSTIARY_MAIL_WITHOUT_TLS;
    case CURLE_PEER_FAILED_VERIFICATION: return OSTIARY_MAIL_UNTRUSTED;
    case CURLE_LOGIN_DENIED: return OSTIARY_MAIL_LOGIN_REFUSED;
    default: return OSTIARY_MAIL_BROKEN;
    }
}

struct ostiary_mail_reach ostiary_mail_examine(const struct ostiary_mail *mail) {
    pthread_once(&initialisation, initialise);
    CURLcode code = initialised;
    CURL *curl = code == CURLE_OK ? curl_easy_init() : NULL;
    if (!curl) return (struct ostiary_mail_reach){OSTIARY_MAIL_BROKEN, curl_easy_strerror(CURLE_FAILED_INIT)};
    code = set_mail_connection(curl, mail);
    SET(CURLOPT_CUSTOMREQUEST, "NOOP");
    SET(CURLOPT_NOBODY, 1L);
    if (code == CURLE_OK) code = curl_easy_perform(curl);
    curl_easy_cleanup(curl);
    return (struct ostiary_mail_reach){reach(code), curl_easy_strerror(code)};
}

struct ostiary_mail_result ostiary_mail_send(const struct ostiary_mail *mail) {
    pthread_once(&initialisation, initialise);
    if (initialised != CURLE_OK) return failure(initialised, 0);

    CURL *curl = curl_easy_init();
    struct curl_slist *recipients = curl_slist_append(NULL, mail->recipient);
    if (!curl || !recipients) {
        curl_slist_free_all(recipients);
        curl_easy_cleanup(curl);
        return failure(CURLE_OUT_OF_MEMORY, 0);
    }
    struct upload upload = {mail->message, mail->message_length};
    struct greeting greeting = {mail->requires_tls ? 2 : 1, false, false};

    CURLcode code = set_mail_connection(curl, mail);
    SET(CURLOPT_MAIL_FROM, mail->from);
    SET(CURLOPT_MAIL_RCPT, recipients);
    SET(CURLOPT_UPLOAD, 1L);
    SET(CURLOPT_READFUNCTION, read_message);
    SET(CURLOPT_READDATA, &upload);
    SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->message_length);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, report_progress);
    SET(CURLOPT_XFERINFODATA, (void *)mail);
    if (mail->requires_utf8) {
        SET(CURLOPT_HEADERFUNCTION, read_reply);
        SET(CURLOPT_HEADERDATA, &greeting);
    }

    long status = 0;
    if (code == CURLE_OK) {
        code = curl_easy_perform(curl);
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    }
    curl_slist_free_all(recipients);
    curl_easy_cleanup(curl);
    struct ostiary_mail_result result = failure(code, status);
    if (greeting.is_complete && !greeting.has_utf8) result.outcome = OSTIARY_MAIL_WITHOUT_UTF8;
    return result;
}

/// The state of a request in progress.
struct exchange {
    const struct ostiary_request *request;
    size_t answer_length;
    bool is_truncated;
    bool has_refused_address;
};

static int report_exchange(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)a, (void)b, (void)c, (void)d;
    const struct ostiary_request *request = ((const struct exchange *)context)->request;
    return request->is_cancelled && request->is_cancelled(request->context) ? 1 : 0;
}

static size_t keep_answer(char *bytes, size_t size, size_t count, void *context) {
    struct exchange *exchange = context;
    size_t length = size * count;
    size_t room = exchange->request->answer_capacity - exchange->answer_length;
    size_t kept = length < room ? length : room;
    if (kept > 0) memcpy(exchange->request->answer + exchange->answer_length, bytes, kept);
    exchange->answer_length += kept;
    // A smaller number than offered ends the transfer.
    exchange->is_truncated = kept < length;
    return kept;
}

/// Opens the socket for one address. libcurl connects it to that very address, so that no later lookup matters.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    struct exchange *exchange = context;
    const struct ostiary_request *request = exchange->request;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    if (address->family == AF_INET) {
        bytes = (const uint8_t *)&((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr;
        length = 4;
    } else if (address->family == AF_INET6) {
        bytes = (const uint8_t *)&((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr;
        length = 16;
    }
    if (purpose != CURLSOCKTYPE_IPCXN || !bytes || !request->is_allowed(request->context, bytes, length)) {
        exchange->has_refused_address = true;
        return CURL_SOCKET_BAD;
    }
    int type = address->socktype;
#ifdef SOCK_CLOEXEC
    type |= SOCK_CLOEXEC;
#endif
    return socket(address->family, type, address->protocol);
}

struct ostiary_answer ostiary_request_send(const struct ostiary_request *request) {
    struct ostiary_answer answer = {OSTIARY_REQUEST_FAILED, 0, 0, false, "out of memory"};
    pthread_once(&initialisation, initialise);
    if (initialised != CURLE_OK) return answer;

    CURL *curl = curl_easy_init();
    if (!curl) return answer;
    struct curl_slist *headers = NULL;
    // No wait for `100 Continue`.
    bool is_complete = (headers = curl_slist_append(NULL, "Expect:")) != NULL;
    for (size_t i = 0; is_complete && i < request->header_count; i++) {
        struct curl_slist *longer = curl_slist_append(headers, request->headers[i]);
        is_complete = longer != NULL;
        if (longer) headers = longer;
    }
    struct curl_slist *resolution = request->resolution ? curl_slist_append(NULL, request->resolution) : NULL;
    struct exchange exchange = {request, 0, false, false};

    CURLcode code = is_complete ? CURLE_OK : CURLE_OUT_OF_MEMORY;
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    // Ignores a proxy from the environment, which would connect to addresses that are not checked here.
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, request->timeout_milliseconds);
    SET(CURLOPT_TIMEOUT_MS, request->timeout_milliseconds);
    SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SET(CURLOPT_OPENSOCKETDATA, &exchange);
    if (resolution) SET(CURLOPT_RESOLVE, resolution);

    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (request->certificate_authorities) {
        SET(CURLOPT_CAINFO, request->certificate_authorities);
        SET(CURLOPT_CAPATH, NULL);
    }

    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDS, (const char *)request->body);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_WRITEFUNCTION, keep_answer);
    SET(CURLOPT_WRITEDATA, &exchange);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, report_exchange);
    SET(CURLOPT_XFERINFODATA, &exchange);
#undef SET

    if (code == CURLE_OK) {
        code = curl_easy_perform(curl);
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
    }
    curl_slist_free_all(resolution);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);

    answer.reason = curl_easy_strerror(code);
    answer.answer_length = exchange.answer_length;
    answer.is_truncated = exchange.is_truncated;
    if (code == CURLE_OK || (code == CURLE_WRITE_ERROR && exchange.is_truncated)) {
        answer.outcome = OSTIARY_REQUEST_ANSWERED;
    } else if (code == CURLE_ABORTED_BY_CALLBACK) {
        answer.outcome = OSTIARY_REQUEST_CANCELLED;
    } else if (code == CURLE_OPERATION_TIMEDOUT) {
        answer.outcome = OSTIARY_REQUEST_TIMED_OUT;
    } else if (exchange.has_refused_address) {
        answer.outcome = OSTIARY_REQUEST_ADDRESS_REFUSED;
    }
    return answer;
}
