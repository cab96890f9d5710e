-- Fills an empty Ostiary database, which `ostiary` has opened once, with the data of an app after years of use.
--
--   PGOPTIONS='-c growth.accounts=10000000 -c growth.sessions=50000000' \
--     psql "postgres://…/ostiary" --single-transaction -v ON_ERROR_STOP=1 -f Benchmarks/growth.sql
--
-- `growth.events` is the number of audit events; the default is the number of sessions. A million sessions take
-- minutes; with `-c session_replication_role=replica`, which a superuser may set and which skips the checks of
-- references, about a third of that. Times are before and after `growth.now`, milliseconds since 1970, now by default.
-- No account can sign in: the hashes belong to no password.
--
-- PlanTests.swift runs this file too, statement by statement; every statement ends with a semicolon at the end of a line.

SELECT set_config('growth.now', COALESCE(NULLIF(current_setting('growth.now', TRUE), ''),
    (extract(epoch FROM now()) * 1000)::bigint::text), FALSE);

SELECT set_config('growth.events', COALESCE(NULLIF(current_setting('growth.events', TRUE), ''),
    current_setting('growth.sessions')), FALSE);

INSERT INTO account (
    app, id, email, username, phone_number, full_name, password_hash, roles, is_active, provider, provider_issuer,
    provider_subject, is_email_verified, credential_version, created_at)
SELECT 'growth', n::text, 'person' || n || '@example.com', 'person' || n, '+49151' || lpad(n::text, 8, '0'), 'Person ' || n,
    '$2b$' || CASE WHEN n % 100 = 0 THEN '10' ELSE '12' END || '$' || repeat('x', 53),
    CASE WHEN n % 10 = 0 THEN '["editor"]' ELSE '[]' END, n % 500 > 0,
    CASE WHEN n % 4 = 0 THEN 'google' ELSE 'local' END,
    CASE WHEN n % 4 = 0 AND n % 8 > 0 THEN 'https://accounts.example.com' END,
    CASE WHEN n % 4 = 0 THEN md5('subject' || n) END, FALSE, 0, current_setting('growth.now')::bigint - n * 1000
FROM generate_series(1, current_setting('growth.accounts')::bigint) AS n;

-- Triggers have done it, unless they are off.
INSERT INTO account_role (app, role, number)
SELECT app, 'editor', number FROM account WHERE app = 'growth' AND roles <> '[]'
ON CONFLICT DO NOTHING;

INSERT INTO account_name (app, name, account_id)
SELECT app, email, id FROM account WHERE app = 'growth' AND provider = 'local'
UNION ALL SELECT app, username, id FROM account WHERE app = 'growth';

INSERT INTO account_counter (app, last_id)
SELECT 'growth', current_setting('growth.accounts')::bigint;

-- One in ten was revoked, and one in ten expired within the last month. One in a hundred expired earlier.
INSERT INTO session (
    id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation, generation_issued_at,
    first_used_at, device_id, platform, os_version, app_version, address, user_agent, revoked_at, revoke_reason, sweep_at)
SELECT md5('session' || n), 'growth', (1 + n % current_setting('growth.accounts')::bigint)::text, t.created_at,
    t.ends_at - 1209600000, 1209600, t.ends_at, t.ends_at + 31536000000, n % 50, t.ends_at - 1209600000,
    CASE WHEN n % 3 > 0 THEN t.ends_at - 1209500000 END, md5('device' || n), 'iOS', '26.1', '3.4.0', '192.0.2.1',
    'Example/3.4 (iPhone17,1; iOS 26.1)', CASE WHEN n % 10 = 1 THEN t.ends_at - 1209600000 END,
    CASE WHEN n % 10 = 1 THEN 'signOut' END, CASE WHEN n % 10 = 1 THEN t.ends_at - 1209600000 ELSE t.ends_at END
FROM generate_series(1, current_setting('growth.sessions')::bigint) AS n
CROSS JOIN LATERAL (
    SELECT current_setting('growth.now')::bigint - 31536000000 AS created_at,
        current_setting('growth.now')::bigint + CASE
            WHEN n % 100 = 2 THEN -5184000000 WHEN n % 10 = 3 THEN -86400000 ELSE 1209600000 - n % 86400000 END AS ends_at
    ) AS t;

INSERT INTO generation_use (session, generation, first_used_at)
SELECT number, generation - back, last_used_at - back * 600000
FROM session CROSS JOIN generate_series(1, 2) AS back WHERE app = 'growth' AND generation >= back;

INSERT INTO session_attachment (session, bytes, version)
SELECT number, decode(repeat(md5(id), 16), 'hex'), 3 FROM session WHERE app = 'growth' AND number % 10 = 0;

INSERT INTO account_activity (app, account_id, last_sign_in_at, active_on)
SELECT app, id, created_at, current_setting('growth.now')::bigint / 86400000 - number % 60
FROM account WHERE app = 'growth';

-- A quarter of a year, by hour.
INSERT INTO statistic (app, starts_at, series, operation, method, factor, outcome, slot, count)
SELECT 'growth', (current_setting('growth.now')::bigint / 3600000 - hour) * 3600000, 'sign_in', 'signIn', 'password', '',
    'outcome_' || outcome, 0, 1000
FROM generate_series(1, 2160) AS hour CROSS JOIN generate_series(1, 10) AS outcome;

INSERT INTO code (app, recipient, id, code_hash, expires_at, tries_left)
SELECT 'growth', decode(md5('recipient' || n), 'hex'), md5('code' || n), decode(md5(n::text), 'hex'),
    current_setting('growth.now')::bigint + (n - 1000) * 300, 5
FROM generate_series(1, current_setting('growth.accounts')::bigint / 5) AS n;

INSERT INTO reset_token (app, recipient, hash, account_id, expires_at)
SELECT 'growth', decode(md5('recipient' || n), 'hex'), decode(md5('token' || n), 'hex'), n::text,
    current_setting('growth.now')::bigint + (n - 1000) * 3600
FROM generate_series(1, current_setting('growth.accounts')::bigint / 5) AS n;

INSERT INTO ticket (app, kind, hash, payload, expires_at, spent_at, session_id)
SELECT 'growth', 'browser_sign_in', decode(md5('ticket' || n), 'hex'), decode(repeat(md5(n::text), 8), 'hex'),
    current_setting('growth.now')::bigint + (n - 1000) * 600, CASE WHEN n % 2 = 0 THEN 0 END, NULL
FROM generate_series(1, current_setting('growth.accounts')::bigint / 5) AS n;

INSERT INTO operation (id, done_at)
SELECT md5('operation' || n)::uuid, current_setting('growth.now')::bigint - 3600000 + (n - 1000) * 60
FROM generate_series(1, current_setting('growth.accounts')::bigint / 5) AS n;

INSERT INTO attempt (name, full_at, sweep_at)
SELECT 'growth signIn ' || md5('attempt' || n), current_setting('growth.now')::bigint + (n - 1000) * 60,
    current_setting('growth.now')::bigint + (n - 2000) * 60
FROM generate_series(1, current_setting('growth.accounts')::bigint / 2) AS n;

INSERT INTO audit_event (
    happened_at, app, action, outcome, account_id, session_id, identifier, address, user_agent)
SELECT current_setting('growth.now')::bigint - (current_setting('growth.events')::bigint - n) * 600, 'growth',
    CASE WHEN n % 100 = 0 THEN 'signIn' ELSE 'refresh' END, CASE WHEN n % 1000 = 0 THEN 'wrong_credentials' ELSE 'ok' END, (1 + n % current_setting('growth.accounts')::bigint)::text, md5('session' || n), 'p***@example.com', '192.0.2.1',
    'Example/3.4 (iPhone17,1; iOS 26.1)'
FROM generate_series(1, current_setting('growth.events')::bigint) AS n;

INSERT INTO message (id, app, created_at, attempts, due_at, sealed)
SELECT md5('message' || n), 'growth', current_setting('growth.now')::bigint - 600000 + n, 0,
    current_setting('growth.now')::bigint - CASE WHEN n % 2 = 0 THEN 1000 ELSE -60000 END, decode(repeat(md5(n::text), 8), 'hex')
-- The outbox accepts no more.
FROM generate_series(1, LEAST(10000, current_setting('growth.accounts')::bigint / 10)) AS n;

INSERT INTO message_record (
    id, app, channel, kind, recipient, recipient_hash, outcome, attempts, created_at, settled_at, useful_until, sealed)
SELECT md5('record' || n), 'growth', 'email', 'password_reset', 'p***@example.com', decode(md5((n % 1000)::text), 'hex'),
    CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'sent' END, 1, t.at, t.at + 2000, t.at + 3600000,
    CASE WHEN n % 10000 = 0 THEN decode(repeat(md5(n::text), 8), 'hex') END
FROM generate_series(1, current_setting('growth.accounts')::bigint) AS n
CROSS JOIN LATERAL (SELECT current_setting('growth.now')::bigint - n * 300000 AS at) AS t;

INSERT INTO signing_key (app, kid, algorithm, sealed_private_key, created_at, retires_at)
SELECT 'growth' || n, 'k1', 'ES256', decode(md5(n::text), 'hex'), current_setting('growth.now')::bigint, NULL
FROM generate_series(1, 100) AS n;

ANALYZE;
