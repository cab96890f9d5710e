-- Accounts of the app vici with a session each, as if they had signed in within the last three days. For psql, on a
-- database with the tables of Ostiary and without accounts of vici:
--   psql --set accounts=1000000 --set sessions=1 --set hash='$2b$10$…' --file population.sql
-- Account n has the address person-n@example.com; its id and those of its sessions are hashes of n, so that tokens can
-- be created with the secret of tokens alone. Like real ids they are in no order.
\set ON_ERROR_STOP on
SET synchronous_commit = off;
SET maintenance_work_mem = '512MB';
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now \gset

INSERT INTO account (
    app, id, email, full_name, password_hash, roles, is_active, provider, is_email_verified, credential_version, created_at)
SELECT 'vici', md5('account-' || n)::uuid::text, 'person-' || n || '@example.com', 'Person ' || n, :'hash', '[]', true,
    'local', true, 0, :now - 86400000
FROM generate_series(1, :accounts) n;

INSERT INTO account_name (app, name, account_id)
SELECT app, email, id FROM account WHERE app = 'vici';

INSERT INTO session (
    id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation, generation_issued_at,
    first_used_at, device_id, platform, os_version, app_version, address, user_agent, sweep_at)
SELECT md5('session-' || n || '-' || k)::uuid::text, 'vici', md5('account-' || n)::uuid::text, born, born, 604800,
    born + 604800000, born + 31536000000, 0, born, born, md5('device-' || n || '-' || k)::uuid::text, 'iOS', '18.2', '4.1.0',
    '198.51.' || n / 256 % 256 || '.' || n % 256, 'Vici/4.1.0 (iPhone; iOS 18.2)', born + 604800000
FROM generate_series(1, :accounts) n, generate_series(1, :sessions) k,
    LATERAL (SELECT :now - (n * 7919::bigint + k) % 259200000 AS born) AS times;

VACUUM (ANALYZE) account;
VACUUM (ANALYZE) account_name;
VACUUM (ANALYZE) session;
