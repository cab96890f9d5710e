// A wrapper that sends one email. Swift cannot call libcurl's variadic functions.

#include "OstiaryCurl.h"

#include <curl/curl.h>
#include <pthread.h>
#include <string.h>

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

    CURLcode code = CURLE_OK;
#define SET(option, value) if (code == CURLE_OK) code = curl_easy_setopt(curl, option, value)
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

    SET(CURLOPT_MAIL_FROM, mail->from);
    SET(CURLOPT_MAIL_RCPT, recipients);
    SET(CURLOPT_UPLOAD, 1L);
    SET(CURLOPT_READFUNCTION, read_message);
    SET(CURLOPT_READDATA, &upload);
    SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->message_length);
    SET(CURLOPT_WRITEFUNCTION, discard_reply);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, report_progress);
    SET(CURLOPT_XFERINFODATA, (void *)mail);
#undef SET

    long status = 0;
    if (code == CURLE_OK) {
        code = curl_easy_perform(curl);
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    }
    curl_slist_free_all(recipients);
    curl_easy_cleanup(curl);
    return failure(code, status);
}
