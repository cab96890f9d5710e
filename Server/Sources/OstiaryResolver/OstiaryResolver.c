// TXT records by the C library's resolver, whose interface is of macros and of unions that Swift does not import.

#include "OstiaryResolver.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdlib.h>
#include <string.h>

static struct ostiary_dns_answer read_answer(
    const unsigned char *bytes, int length, const struct ostiary_dns_question *question) {
    struct ostiary_dns_answer answer = {OSTIARY_DNS_UNANSWERED, 0};
    ns_msg message;
    if (ns_initparse(bytes, length, &message) != 0) return answer;
    answer.outcome = OSTIARY_DNS_NONE;
    for (int i = 0; i < ns_msg_count(message, ns_s_an); i++) {
        ns_rr record;
        // The answer may begin with the aliases that lead to the records.
        if (ns_parserr(&message, ns_s_an, i, &record) != 0 || ns_rr_type(record) != ns_t_txt) continue;
        const unsigned char *data = ns_rr_rdata(record), *end = data + ns_rr_rdlen(record);
        size_t start = answer.length + 2, next = start;
        if (start > question->capacity) break;
        // A record is a list of strings of at most 255 bytes, which are read as one text. Source: RFC 7208 §3.3.
        while (data < end && data + 1 + *data <= end && next + *data <= question->capacity) {
            memcpy(question->records + next, data + 1, *data);
            next += *data;
            data += 1 + *data;
        }
        if (data != end || next - start > UINT16_MAX) continue;
        question->records[answer.length] = (uint8_t)((next - start) >> 8);
        question->records[answer.length + 1] = (uint8_t)(next - start);
        answer.length = next;
        answer.outcome = OSTIARY_DNS_ANSWERED;
    }
    return answer;
}

struct ostiary_dns_answer ostiary_dns_texts(const struct ostiary_dns_question *question) {
    struct ostiary_dns_answer answer = {OSTIARY_DNS_UNANSWERED, 0};
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return answer;
    state.retrans = question->timeout;
    state.retry = 1;
    if (question->server) {
        struct sockaddr_in address;
        memset(&address, 0, sizeof address);
        address.sin_family = AF_INET;
        address.sin_port = htons(question->port);
        if (inet_pton(AF_INET, question->server, &address.sin_addr) != 1) {
            res_nclose(&state);
            return answer;
        }
        state.nsaddr_list[0] = address;
        state.nscount = 1;
    } else if (state.nscount > 2) {
        state.nscount = 2;
    }
    unsigned char *bytes = malloc(NS_MAXMSG);
    if (bytes) {
        int length = res_nquery(&state, question->name, ns_c_in, ns_t_txt, bytes, NS_MAXMSG);
        if (length > 0) {
            answer = read_answer(bytes, length, question);
        } else if (state.res_h_errno == HOST_NOT_FOUND || state.res_h_errno == NO_DATA) {
            answer.outcome = OSTIARY_DNS_NONE;
        }
        free(bytes);
    }
    res_nclose(&state);
    return answer;
}
