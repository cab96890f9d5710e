SET check_function_bodies = false;
CREATE FUNCTION public.derive_account_roles() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM account_role WHERE number = OLD.number;
    END IF;
    INSERT INTO account_role (app, role, number)
    SELECT DISTINCT NEW.app, r.role, NEW.number
    FROM json_array_elements_text(NEW.roles::json) AS r (role) WHERE strpos(r.role, '@') = 0;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.event_forget() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM account_event
    WHERE number = OLD.event AND NOT EXISTS (SELECT FROM event_delivery WHERE event = OLD.event);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.event_is_wanted(wanted_app text, wanted_type text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (
        SELECT FROM event_endpoint
        WHERE app = wanted_app AND state = 'enabled' AND (types = '' OR strpos(types, ' ' || wanted_type || ' ') > 0))
$$;
CREATE FUNCTION public.event_of_account() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM event_record('account.created', NEW, NULL, json_build_object('provider', NEW.provider));
        RETURN NULL;
    END IF;
    IF TG_OP = 'DELETE' THEN
        PERFORM event_record('account.deleted', OLD, NULL, NULL);
        RETURN NULL;
    END IF;
    IF NEW.email IS DISTINCT FROM OLD.email OR NEW.is_email_verified IS DISTINCT FROM OLD.is_email_verified OR NEW.username IS DISTINCT FROM OLD.username OR NEW.phone_number IS DISTINCT FROM OLD.phone_number OR NEW.is_phone_number_verified IS DISTINCT FROM OLD.is_phone_number_verified OR NEW.full_name IS DISTINCT FROM OLD.full_name OR NEW.attributes IS DISTINCT FROM OLD.attributes OR NEW.roles IS DISTINCT FROM OLD.roles THEN
        PERFORM event_record('account.updated', NEW, NULL, json_build_object('changed', array_remove(ARRAY[CASE WHEN NEW.email IS DISTINCT FROM OLD.email THEN 'email' END, CASE WHEN NEW.is_email_verified IS DISTINCT FROM OLD.is_email_verified THEN 'email_verified' END, CASE WHEN NEW.username IS DISTINCT FROM OLD.username THEN 'username' END, CASE WHEN NEW.phone_number IS DISTINCT FROM OLD.phone_number THEN 'phone_number' END, CASE WHEN NEW.is_phone_number_verified IS DISTINCT FROM OLD.is_phone_number_verified THEN 'phone_number_verified' END, CASE WHEN NEW.full_name IS DISTINCT FROM OLD.full_name THEN 'full_name' END, CASE WHEN NEW.attributes IS DISTINCT FROM OLD.attributes THEN 'attributes' END, CASE WHEN NEW.roles IS DISTINCT FROM OLD.roles THEN 'roles' END], NULL)));
    END IF;
    IF OLD.is_active AND NOT NEW.is_active THEN
        PERFORM event_record('account.disabled', NEW, NULL, NULL);
    ELSIF NEW.is_active AND NOT OLD.is_active THEN
        PERFORM event_record('account.enabled', NEW, NULL, NULL);
    END IF;
    -- A hash of the same password with a higher cost changes no version.
    IF NEW.password_hash IS DISTINCT FROM OLD.password_hash AND NEW.credential_version <> OLD.credential_version THEN
        PERFORM event_record('password.changed', NEW, NULL, NULL);
    END IF;
    IF NEW.provider_subject IS DISTINCT FROM OLD.provider_subject THEN
        IF OLD.provider_subject IS NOT NULL THEN
            PERFORM event_record('identity.unlinked', NEW, NULL, json_build_object('provider', OLD.provider));
        END IF;
        IF NEW.provider_subject IS NOT NULL THEN
            PERFORM event_record('identity.linked', NEW, NULL, json_build_object('provider', NEW.provider));
        END IF;
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.event_of_factor() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    a account;
    f factor;
BEGIN
    IF TG_OP = 'DELETE' THEN f := OLD; ELSE f := NEW; END IF;
    IF NOT event_is_wanted(f.app, TG_ARGV[0]) THEN RETURN NULL; END IF;
    SELECT * INTO a FROM account WHERE app = f.app AND id = f.account_id;
    IF FOUND THEN
        PERFORM event_record(
            TG_ARGV[0], a, NULL,
            json_build_object('factor', json_build_object('id', f.id, 'type', f.kind)));
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.event_of_reset() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE a account;
BEGIN
    SELECT * INTO a FROM account WHERE app = NEW.app AND id = NEW.account_id;
    IF FOUND THEN PERFORM event_record('password.reset_requested', a, NULL, NULL); END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.event_of_session() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE a account;
BEGIN
    IF NOT event_is_wanted(NEW.app, TG_ARGV[0]) THEN RETURN NULL; END IF;
    SELECT * INTO a FROM account WHERE app = NEW.app AND id = NEW.account_id;
    IF FOUND THEN
        PERFORM event_record(
            TG_ARGV[0], a, NEW.id,
            CASE WHEN TG_OP = 'UPDATE' THEN json_build_object('reason', NEW.revoke_reason) END);
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.event_queue() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO event_delivery (endpoint_id, event, app, order_key, state, attempts, created_at, due_at)
    SELECT id, NEW.number, app, NEW.account_id, 'pending', '[]', NEW.created_at, 0 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR strpos(types, ' ' || NEW.type || ' ') > 0);
    RETURN NULL;
END
$$;
CREATE TABLE public.account (
    number bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    email text COLLATE pg_catalog."C",
    username text COLLATE pg_catalog."C",
    phone_number text COLLATE pg_catalog."C",
    full_name text COLLATE pg_catalog."C",
    password_hash text COLLATE pg_catalog."C",
    roles text NOT NULL COLLATE pg_catalog."C",
    is_active boolean NOT NULL,
    provider text NOT NULL COLLATE pg_catalog."C",
    provider_issuer text COLLATE pg_catalog."C",
    provider_subject text COLLATE pg_catalog."C",
    is_email_verified boolean NOT NULL,
    credential_version bigint NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL,
    password_reset_channel text COLLATE pg_catalog."C",
    updated_at bigint,
    is_phone_number_verified boolean,
    attributes text DEFAULT '{}'::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT account_check CHECK (((provider <> 'local'::text) OR ((provider_subject IS NULL) AND (provider_issuer IS NULL)))),
    CONSTRAINT account_check1 CHECK (((provider_issuer IS NULL) OR (provider_subject IS NOT NULL)))
);
CREATE FUNCTION public.event_record(type text, a public.account, session_id text, details json) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF event_is_wanted(a.app, type) THEN
        INSERT INTO account_event (id, app, type, account_id, session_id, actor, snapshot, details, created_at)
        VALUES (
            replace(gen_random_uuid()::text, '-', ''), a.app, type, a.id, session_id,
            NULLIF(current_setting('ostiary.actor', true), ''), event_snapshot(a), COALESCE(details::text, '{}'),
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    END IF;
END
$$;
CREATE FUNCTION public.event_snapshot(a public.account) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT json_build_object(
        'email', a.email, 'email_verified', a.is_email_verified, 'username', a.username, 'phone_number', a.phone_number, 'phone_number_verified', a.is_phone_number_verified, 'full_name', a.full_name, 'attributes', a.attributes::json, 'roles', a.roles::json)::text
$$;
CREATE TABLE public.account_activity (
    app text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    last_sign_in_at bigint,
    active_on bigint NOT NULL,
    previous_on bigint
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.account_counter (
    app text NOT NULL COLLATE pg_catalog."C",
    last_id bigint NOT NULL
);
CREATE TABLE public.account_event (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    app text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    actor text COLLATE pg_catalog."C",
    snapshot text NOT NULL,
    details text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE public.account_event ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_event_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_name (
    app text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE public.account ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_role (
    app text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL
);
CREATE TABLE public.active_accounts (
    app text NOT NULL COLLATE pg_catalog."C",
    period text NOT NULL COLLATE pg_catalog."C",
    starts_on bigint NOT NULL,
    slot bigint NOT NULL,
    count bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.attempt (
    name text NOT NULL COLLATE pg_catalog."C",
    full_at bigint NOT NULL,
    counted_by uuid,
    sweep_at bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL,
    next_at bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.audit_event (
    number bigint NOT NULL,
    happened_at bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    session_id text,
    identifier text,
    address text,
    user_agent text,
    operation uuid DEFAULT gen_random_uuid() NOT NULL,
    transaction xid8 DEFAULT '0'::xid8 NOT NULL,
    actor text COLLATE pg_catalog."C",
    method text COLLATE pg_catalog."C",
    factor text COLLATE pg_catalog."C",
    is_new_account boolean,
    details text
)
PARTITION BY RANGE (happened_at);
CREATE TABLE public.audit_event_2026_11 (
    number bigint NOT NULL,
    happened_at bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    session_id text,
    identifier text,
    address text,
    user_agent text,
    operation uuid DEFAULT gen_random_uuid() NOT NULL,
    transaction xid8 DEFAULT '0'::xid8 NOT NULL,
    actor text COLLATE pg_catalog."C",
    method text COLLATE pg_catalog."C",
    factor text COLLATE pg_catalog."C",
    is_new_account boolean,
    details text
);
CREATE TABLE public.audit_event_2026_12 (
    number bigint NOT NULL,
    happened_at bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    session_id text,
    identifier text,
    address text,
    user_agent text,
    operation uuid DEFAULT gen_random_uuid() NOT NULL,
    transaction xid8 DEFAULT '0'::xid8 NOT NULL,
    actor text COLLATE pg_catalog."C",
    method text COLLATE pg_catalog."C",
    factor text COLLATE pg_catalog."C",
    is_new_account boolean,
    details text
);
CREATE TABLE public.audit_event_2027_01 (
    number bigint NOT NULL,
    happened_at bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    session_id text,
    identifier text,
    address text,
    user_agent text,
    operation uuid DEFAULT gen_random_uuid() NOT NULL,
    transaction xid8 DEFAULT '0'::xid8 NOT NULL,
    actor text COLLATE pg_catalog."C",
    method text COLLATE pg_catalog."C",
    factor text COLLATE pg_catalog."C",
    is_new_account boolean,
    details text
);
CREATE TABLE public.audit_event_default (
    number bigint NOT NULL,
    happened_at bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    session_id text,
    identifier text,
    address text,
    user_agent text,
    operation uuid DEFAULT gen_random_uuid() NOT NULL,
    transaction xid8 DEFAULT '0'::xid8 NOT NULL,
    actor text COLLATE pg_catalog."C",
    method text COLLATE pg_catalog."C",
    factor text COLLATE pg_catalog."C",
    is_new_account boolean,
    details text
);
ALTER TABLE public.audit_event ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.audit_event_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.code (
    app text NOT NULL COLLATE pg_catalog."C",
    recipient bytea NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    code_hash bytea NOT NULL,
    expires_at bigint NOT NULL,
    tries_left bigint NOT NULL,
    tried_by uuid,
    CONSTRAINT code_tries_left_check CHECK ((tries_left >= 0))
);
CREATE TABLE public.event_delivery (
    number bigint NOT NULL,
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    event bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    order_key text COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    attempts text NOT NULL,
    created_at bigint NOT NULL,
    due_at bigint NOT NULL,
    finished_at bigint,
    claimed_by uuid
)
WITH (fillfactor='80');
ALTER TABLE public.event_delivery ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.event_delivery_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.event_endpoint (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    app text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    types text NOT NULL COLLATE pg_catalog."C",
    include text NOT NULL COLLATE pg_catalog."C",
    description text,
    contact text,
    state text NOT NULL COLLATE pg_catalog."C",
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_expires_at bigint,
    created_at bigint NOT NULL,
    last_success_at bigint,
    failing_since bigint
);
ALTER TABLE public.event_endpoint ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.event_endpoint_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.factor (
    number bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    material bytea NOT NULL,
    credential_id bytea,
    counter bigint NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    used_by uuid
)
WITH (fillfactor='80');
ALTER TABLE public.factor ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.factor_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.generation_use (
    session bigint NOT NULL,
    generation bigint NOT NULL,
    first_used_at bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02');
CREATE TABLE public.idempotent_request (
    hash bytea NOT NULL,
    body_hash bytea NOT NULL,
    claim text NOT NULL COLLATE pg_catalog."C",
    claimed_until bigint NOT NULL,
    answer bytea,
    expires_at bigint NOT NULL
)
WITH (fillfactor='80');
CREATE TABLE public.known_network (
    subject bytea NOT NULL,
    network bytea NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.message (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    app text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    attempts bigint NOT NULL,
    due_at bigint NOT NULL,
    claimed_by uuid,
    sealed bytea NOT NULL,
    last_error text
)
WITH (fillfactor='80');
ALTER TABLE public.message ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.message_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.message_record (
    id text NOT NULL COLLATE pg_catalog."C",
    app text NOT NULL COLLATE pg_catalog."C",
    channel text,
    kind text,
    recipient text,
    recipient_hash bytea,
    outcome text NOT NULL,
    attempts bigint NOT NULL,
    last_error text,
    created_at bigint NOT NULL,
    settled_at bigint NOT NULL,
    useful_until bigint NOT NULL,
    sealed bytea
);
CREATE TABLE public.operation (
    id uuid NOT NULL,
    done_at bigint NOT NULL,
    answer text COLLATE pg_catalog."C"
);
CREATE TABLE public.recovery_code (
    app text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL
);
CREATE TABLE public.reset_token (
    app text NOT NULL COLLATE pg_catalog."C",
    recipient bytea NOT NULL,
    hash bytea NOT NULL,
    account_id text COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.role (
    app text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    permissions text NOT NULL,
    added_by uuid
);
CREATE TABLE public.schema_step (
    number bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    applied_at bigint NOT NULL,
    oldest_compatible bigint NOT NULL
);
CREATE TABLE public.service_key (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    scopes text NOT NULL COLLATE pg_catalog."C",
    apps text NOT NULL COLLATE pg_catalog."C",
    networks text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint,
    last_used_at bigint,
    revoked_at bigint
)
WITH (fillfactor='80');
ALTER TABLE public.service_key ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.service_key_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.session (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    app text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    idle_seconds bigint NOT NULL,
    idle_ends_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    generation bigint NOT NULL,
    generation_issued_at bigint NOT NULL,
    first_used_at bigint,
    previous_first_used_at bigint,
    device_id text,
    platform text,
    os_version text,
    app_version text,
    address text,
    user_agent text,
    revoked_at bigint,
    revoke_reason text,
    changed_by uuid,
    sweep_at bigint DEFAULT 0 NOT NULL,
    signing_key_issued_at bigint,
    signing_key_issued_by uuid,
    oldest_generation bigint DEFAULT 0 NOT NULL,
    authentication text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    authenticated_by uuid,
    previous_used_at bigint,
    actor text COLLATE pg_catalog."C",
    CONSTRAINT session_check CHECK ((idle_ends_at <= ends_at)),
    CONSTRAINT session_check1 CHECK (((revoked_at IS NULL) = (revoke_reason IS NULL))),
    CONSTRAINT session_generation_check CHECK ((generation >= 0))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02');
CREATE TABLE public.session_attachment (
    session bigint NOT NULL,
    bytes bytea NOT NULL,
    version bigint NOT NULL,
    written_by uuid
);
ALTER TABLE public.session ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.session_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.signing_key (
    number bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    kid text NOT NULL COLLATE pg_catalog."C",
    algorithm text NOT NULL,
    sealed_private_key bytea NOT NULL,
    created_at bigint NOT NULL,
    retires_at bigint
);
ALTER TABLE public.signing_key ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.signing_key_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.statistic (
    app text NOT NULL COLLATE pg_catalog."C",
    starts_at bigint NOT NULL,
    series text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    method text NOT NULL COLLATE pg_catalog."C",
    factor text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    slot bigint NOT NULL,
    count bigint NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE public.statistics_position (
    source text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL
);
CREATE TABLE public.ticket (
    app text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    payload bytea NOT NULL,
    expires_at bigint NOT NULL,
    spent_at bigint,
    session_id text COLLATE pg_catalog."C",
    written_by uuid,
    spent_by uuid,
    CONSTRAINT ticket_check CHECK (((session_id IS NULL) OR (spent_at IS NOT NULL)))
);
ALTER TABLE ONLY public.audit_event ATTACH PARTITION public.audit_event_2026_11 FOR VALUES FROM ('1793491200000') TO ('1796083200000');
ALTER TABLE ONLY public.audit_event ATTACH PARTITION public.audit_event_2026_12 FOR VALUES FROM ('1796083200000') TO ('1798761600000');
ALTER TABLE ONLY public.audit_event ATTACH PARTITION public.audit_event_2027_01 FOR VALUES FROM ('1798761600000') TO ('1801440000000');
ALTER TABLE ONLY public.audit_event ATTACH PARTITION public.audit_event_default DEFAULT;
INSERT INTO public.account VALUES (1, 'vici', '41778f69-c54d-4b0c-b0f9-428c412639db', 'plain@vici.example', NULL, NULL, 'Some One', '$2b$10$iidIlBS54EDcxzaTv75sbeTbLq7T.9W6/eaqlfR.0JRmHbHHhiNeO', '[]', true, 'local', NULL, NULL, false, 0, 0, 1795672622677, NULL, NULL, NULL, '{}');
INSERT INTO public.account VALUES (2, 'vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', 'careful@vici.example', NULL, NULL, 'Some One', '$2b$10$K5yNHnSACpaZWzbJ6m1Ypeql7tfXZ5N7q6RqdoSbA8163ee4.aQZu', '[]', true, 'local', NULL, NULL, false, 0, 0, 1795672622798, NULL, NULL, NULL, '{}');
INSERT INTO public.account VALUES (3, 'clarity', '0074d2fb-9256-4a69-8fb2-392f7927b447', 'plain@clarity.example', NULL, NULL, 'Some One', '$2b$10$VoyHABs5dvty8BGElH/gPu6NxvFDd78eUewQ9xhn5jQMuIs/cAotS', '[]', true, 'local', NULL, NULL, false, 0, 0, 1795672622875, NULL, NULL, NULL, '{}');
INSERT INTO public.account VALUES (4, 'clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', 'careful@clarity.example', NULL, NULL, 'Some One', '$2b$10$D.hiayto/.rwXw/zAMHlzOZek/R5N9hmEdMvOEOaRveZwWOwx9EnW', '[]', true, 'local', NULL, NULL, false, 0, 0, 1795672622928, NULL, NULL, NULL, '{}');
INSERT INTO public.account_activity VALUES ('vici', '41778f69-c54d-4b0c-b0f9-428c412639db', 1795672622698, 20783, NULL);
INSERT INTO public.account_activity VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', 1795672622805, 20783, NULL);
INSERT INTO public.account_activity VALUES ('clarity', '0074d2fb-9256-4a69-8fb2-392f7927b447', 1795672622880, 20783, NULL);
INSERT INTO public.account_activity VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', 1795672622931, 20783, NULL);
INSERT INTO public.account_name VALUES ('vici', 'plain@vici.example', '41778f69-c54d-4b0c-b0f9-428c412639db');
INSERT INTO public.account_name VALUES ('vici', 'careful@vici.example', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0');
INSERT INTO public.account_name VALUES ('clarity', 'plain@clarity.example', '0074d2fb-9256-4a69-8fb2-392f7927b447');
INSERT INTO public.account_name VALUES ('clarity', 'careful@clarity.example', '82e01a29-3845-4397-af4d-ff5ab6c599f7');
INSERT INTO public.active_accounts VALUES ('vici', 'day', 20783, 12, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'month', 20758, 12, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'week', 20780, 12, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'day', 20783, 2, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'month', 20758, 2, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'week', 20780, 2, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'day', 20783, 15, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'month', 20758, 15, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'week', 20780, 15, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'day', 20783, 14, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'month', 20758, 14, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'week', 20780, 14, 1);
INSERT INTO public.attempt VALUES ('D/3YirF1ykxWRBG+A+kPQ0Ya', 1795672682569, 'b61755f8-bc9f-4e0f-a9b4-8cebebf9a920', 1795672622569, 0, 0);
INSERT INTO public.attempt VALUES ('NwuJtm06DHCIGtcKnLdKnOh6', 1795672628569, 'b61755f8-bc9f-4e0f-a9b4-8cebebf9a920', 1795672622569, 0, 0);
INSERT INTO public.attempt VALUES ('butdlWks78dCmkbn8eCzvK+C', 1795672682569, '871bb379-3350-4000-bf5d-d28281618d03', 1795672622569, 0, 0);
INSERT INTO public.attempt VALUES ('2QI/Cy8Tq+SofayRS7s6rHK5', 1795672628705, '871bb379-3350-4000-bf5d-d28281618d03', 1795672622705, 0, 0);
INSERT INTO public.attempt VALUES ('zvGOTvozLD6U1CN/iuOWMa0b', 1795672682705, '871bb379-3350-4000-bf5d-d28281618d03', 1795672622705, 0, 0);
INSERT INTO public.attempt VALUES ('8pngFz0K4F8JVYG9Er2jRLau', 1795672982818, '2196c68a-d177-4f1c-b3b6-f09674446b98', 1795672622818, 0, 0);
INSERT INTO public.attempt VALUES ('OP3y5L2M02Lqm38ggpj3+LsE', 1795672658818, '2196c68a-d177-4f1c-b3b6-f09674446b98', 1795672622818, 0, 0);
INSERT INTO public.attempt VALUES ('IyJCqe8fXa0fKnb1UUrQoAxq', 1795672622816, '50bb536b-f381-4b28-abc3-5f842c7c65f0', 1795672622816, 0, 0);
INSERT INTO public.attempt VALUES ('5PSfGa7EwjRVkGem47bk+hsN', 1795672682832, 'f09f7c9c-7f53-4f25-bc9e-eaca8d4fe7bb', 1795672622832, 0, 0);
INSERT INTO public.attempt VALUES ('xD8n6otK+c9HvFfTnObjsUVO', 1795672628832, 'f09f7c9c-7f53-4f25-bc9e-eaca8d4fe7bb', 1795672622832, 0, 0);
INSERT INTO public.attempt VALUES ('K3iZWtNIJrZ5C2AuTCJDRNns', 1795672682832, '5c1c5eb6-32f4-45fc-aa67-8ade6ee22262', 1795672622832, 0, 0);
INSERT INTO public.attempt VALUES ('/wLneh2CdSCmT8tDBvrBTgG6', 1795672628885, '5c1c5eb6-32f4-45fc-aa67-8ade6ee22262', 1795672622885, 0, 0);
INSERT INTO public.attempt VALUES ('7+mQK2ZFuBBV2jqKkgVBCNUw', 1795672682885, '5c1c5eb6-32f4-45fc-aa67-8ade6ee22262', 1795672622885, 0, 0);
INSERT INTO public.attempt VALUES ('GGMSGKDAZZ86qChgXO61M4Dc', 1795672658947, '946e77e7-8dff-4102-bdd6-ce06646c5309', 1795672622947, 0, 0);
INSERT INTO public.attempt VALUES ('azqtjDaTwKBBxJbPbAlNG8v5', 1795672982947, '946e77e7-8dff-4102-bdd6-ce06646c5309', 1795672622947, 0, 0);
INSERT INTO public.attempt VALUES ('kBHnhY/BpLZF7Y+yMVi8cYwy', 1795672622944, 'bfe39415-edd8-4616-b2d1-f6a580aee1de', 1795672622944, 0, 0);
INSERT INTO public.audit_event_2026_11 VALUES (1, 1795672622701, 'vici', 'register', 'ok', '41778f69-c54d-4b0c-b0f9-428c412639db', 'Tpb0evOP55t4JuXXhjMfMg', 'p***@vici.example', '127.0.0.1', NULL, 'a969de3d-898b-43c5-ba78-ec902c7f63ee', '748', NULL, NULL, NULL, true, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (2, 1795672622806, 'vici', 'register', 'ok', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', 'dJJGsrqRsEIv61FZ6G-9mQ', 'c***@vici.example', '127.0.0.1', NULL, '1aea695f-234f-44fb-945e-65c4037f4ec0', '753', NULL, NULL, NULL, true, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (3, 1795672622812, 'vici', 'beginTOTP', 'ok', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', 'dJJGsrqRsEIv61FZ6G-9mQ', NULL, '127.0.0.1', NULL, '26f6809d-c586-44c8-8218-07b7f4b13ae8', '755', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (4, 1795672622824, 'vici', 'confirmTOTP', 'ok', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', 'dJJGsrqRsEIv61FZ6G-9mQ', NULL, '127.0.0.1', NULL, 'a12a8e05-95e0-438f-ae96-fcb714a292e2', '763', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (5, 1795672622881, 'clarity', 'register', 'ok', '0074d2fb-9256-4a69-8fb2-392f7927b447', 'YxK1pIcCHwk-CjnbjgGkSw', 'p***@clarity.example', '127.0.0.1', NULL, '82a3083e-c496-44f4-9042-200937a04fa5', '769', NULL, NULL, NULL, true, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (6, 1795672622934, 'clarity', 'register', 'ok', '82e01a29-3845-4397-af4d-ff5ab6c599f7', 'FXFotLZFD11UoqyEOMC8Zw', 'c***@clarity.example', '127.0.0.1', NULL, 'cf720856-6387-4eb5-93d5-6d18b980be6a', '774', NULL, NULL, NULL, true, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (7, 1795672622940, 'clarity', 'beginTOTP', 'ok', '82e01a29-3845-4397-af4d-ff5ab6c599f7', 'FXFotLZFD11UoqyEOMC8Zw', NULL, '127.0.0.1', NULL, '1e8c8a09-8826-462d-90de-383f539f1253', '777', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (8, 1795672622953, 'clarity', 'confirmTOTP', 'ok', '82e01a29-3845-4397-af4d-ff5ab6c599f7', 'FXFotLZFD11UoqyEOMC8Zw', NULL, '127.0.0.1', NULL, '93388061-e91f-4428-8c99-30ae501f8d54', '784', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.factor VALUES (1, 'vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', 'nak9NLEOSpS1zps9VoX1_g', 'totp', 'Téléphone', '\xb6b872b96161834cd6e83fb02c4ff207a494a170ad6bc7307e7e4f91257cd1eee2a26d8c6a83565f04be4a22020b2034', NULL, 59855753, 1795672622817, NULL, NULL);
INSERT INTO public.factor VALUES (2, 'clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', 'sqT_Bt3aanz_UwzvMWCyvw', 'totp', 'Téléphone', '\x613ba921957690d11e3295c1350cd4b6280d171601ca36e5706b83277d4bdd3eb0cd5fde635f74f46e44a520848d5cd7', NULL, 59855753, 1795672622946, NULL, NULL);
INSERT INTO public.generation_use VALUES (1, 0, 1795672622828);
INSERT INTO public.generation_use VALUES (3, 0, 1795672622956);
INSERT INTO public.known_network VALUES ('\x64383a04d7def541f020589e0d2766187058', '\x01b67aae0e7a30398e24ab42f04f9fb05174', 1803448622696);
INSERT INTO public.known_network VALUES ('\xa5fd93d1f7aa7541b2b19c46cbf88e1652c5', '\x01b67aae0e7a30398e24ab42f04f9fb05174', 1803448622804);
INSERT INTO public.known_network VALUES ('\x5b39c20663714d4d8600c7b7a542e11718f5', '\xdef278d929cdf2933cefac08d06ae882318c', 1803448622879);
INSERT INTO public.known_network VALUES ('\xc20c7a6da33408b46ca8ca748ceceaecf85c', '\xdef278d929cdf2933cefac08d06ae882318c', 1803448622930);
INSERT INTO public.message_record VALUES ('5e197ce4fc8e76b5044c9e573d2f32ad', 'vici', 'email', 'factors_changed', 'c***@vici.example', '\x838c487148b49d1d5615908125474fc1e7225f75596450b59c04832d73e0322a', 'sent', 1, NULL, 1795672622820, 1795672622824, 1795759022820, NULL);
INSERT INTO public.message_record VALUES ('8edd7b8b242026b4d434598ed49d63ee', 'clarity', 'email', 'factors_changed', 'c***@clarity.example', '\xa0881b9cfdff629684f2b88ea19df3aabd6177c4bbc2ecfc962d636f1901fc4a', 'sent', 1, NULL, 1795672622948, 1795672622953, 1795759022948, NULL);
INSERT INTO public.operation VALUES ('e244ef7f-0309-4c31-b09f-83b7296e6723', 1795672622677, '41778f69-c54d-4b0c-b0f9-428c412639db');
INSERT INTO public.operation VALUES ('abe1af7d-ba10-4b13-8b44-c67eca2de46a', 1795672622798, 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0');
INSERT INTO public.operation VALUES ('36b764d2-fb99-4c23-94c4-a1de67da3712', 1795672622820, 'recovery codes');
INSERT INTO public.operation VALUES ('762637d3-261c-470a-8ee9-ad7dc7a3f2e2', 1795672622875, '0074d2fb-9256-4a69-8fb2-392f7927b447');
INSERT INTO public.operation VALUES ('7c78986c-d0ba-4868-8db8-7957aaa0a6cd', 1795672622928, '82e01a29-3845-4397-af4d-ff5ab6c599f7');
INSERT INTO public.operation VALUES ('c418c0ee-6e37-4a08-86a4-49df5401c739', 1795672622948, 'recovery codes');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\x42a98c3a282a631a0277baa0237c7d357a57e3763af35bcacbd5d17b098c57af');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\x5e3c1bfed6bb66e78146784a834758c6c9bdbec69ebecd206e4a2df516818c7f');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\x3d20d66699b3626e0b5fdd8d340ddf6e22582767179117916cedbc172facb429');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\x39438ec69baee4b2fd114a8489549202fc56e7c73bd19bbf2ed3d84997bd1d99');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\xf3a600acc6e1f234b4603c95b432a7187f11808171c8e5620cd71a1c3047f726');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\x2620a0343982109a23fd3d6711232699edb56e95f78d62bfdbcd7c54d23b1952');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\x83d73f48554e71338c767c28c6e0113137f0403fd01894ffbb6717264b50eba7');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\x1dc037e0b92a74c6f96d9a88849faf95177eaea9c1deb545221b68531f9ba739');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\xd09ace58c6daffedf31bc4641ccfb1316167c066566b9068e08dd3cf473080e8');
INSERT INTO public.recovery_code VALUES ('vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', '\x42cb1e2407ea0861926ab7c7400f530578488f312701ffe2d52c2a16778b4396');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\x4e4a7894e58f5e3e01d328d2b211a98bb207960235bf1a2743314e726b1eb791');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\x5b65f7b75ee8bbce8685548ba01cd08e4fd9aa154789fef71de26a7a7f303ef3');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\x9691f85f9a19e11bde3cf25e855cd72f6c6ae1f8d70c7e8e4ea7cde5406e2e16');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\x117cd5abb31136459d8162fe5e4127164593b387f6d0ebff2a1fbbeb8b87d61f');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\x78b728b19f0491888fa82f217439ef765ffb385764eb768f1d026c6be1d1cbda');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\x706aeb0d04a67fec6e53b993832dc488a5556ae4bc103015c818252e0da0188b');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\x24afff8f3776f929ab09ce5dbea9d2ea6308a537488556716287c97a2f014947');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\x2f2c273d57abd1a2f9a09141b67eacf8eb9db633693413cb568a98ace6e1b247');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\xcce4fc82cdaa942ff4ecbf65debda26183ad2f05a57f1833a9732a0170b68c31');
INSERT INTO public.recovery_code VALUES ('clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', '\xaec237bfa371c8fd79127cf96b31dbc81a082342414e309ff9337e3e6fb41cc6');
INSERT INTO public.schema_step VALUES (1, 'accounts, sessions, codes, tickets, attempts, audit, outbox, keys', 1795672622196, 1);
INSERT INTO public.schema_step VALUES (2, 'actors of audit events', 1795672622314, 1);
INSERT INTO public.schema_step VALUES (3, 'issued signing keys, withdrawn refresh tokens', 1795672622316, 1);
INSERT INTO public.schema_step VALUES (4, 'consecutive failures, known networks', 1795672622317, 1);
INSERT INTO public.schema_step VALUES (5, 'second factors, authentication of sessions', 1795672622325, 1);
INSERT INTO public.schema_step VALUES (6, 'channels of password resets', 1795672622342, 1);
INSERT INTO public.schema_step VALUES (7, 'statistics', 1795672622342, 1);
INSERT INTO public.schema_step VALUES (8, 'search of accounts', 1795672622370, 1);
INSERT INTO public.schema_step VALUES (9, 'account attributes', 1795672622392, 1);
INSERT INTO public.schema_step VALUES (10, 'service keys, repeatable requests', 1795672622393, 1);
INSERT INTO public.schema_step VALUES (11, 'roles, settled messages, details of audit events, actors of sessions', 1795672622412, 1);
INSERT INTO public.schema_step VALUES (12, 'endpoints, events, deliveries', 1795672622440, 1);
INSERT INTO public.session VALUES (2, 'dJJGsrqRsEIv61FZ6G-9mQ', 'vici', 'c4aa2ac1-8a15-43d7-86f0-714b2c730cc0', 1795672622805, 1795672622805, 315273600, 1827208622805, 1827208622805, 0, 1795672622805, 1795672622809, NULL, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL, NULL, 1827208622805, NULL, NULL, 0, 'password:1795672622798 totp:1795672622817', NULL, NULL, NULL);
INSERT INTO public.session VALUES (1, 'Tpb0evOP55t4JuXXhjMfMg', 'vici', '41778f69-c54d-4b0c-b0f9-428c412639db', 1795672622698, 1795672622828, 315273600, 1827208622698, 1827208622698, 1, 1795672622828, NULL, 1795672622828, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL, '418efec5-5d88-4b14-96e3-1af6a41c0375', 1827208622698, NULL, NULL, 0, 'password:1795672622677', NULL, 1795672622698, NULL);
INSERT INTO public.session VALUES (4, 'FXFotLZFD11UoqyEOMC8Zw', 'clarity', '82e01a29-3845-4397-af4d-ff5ab6c599f7', 1795672622931, 1795672622931, 315273600, 1827208622931, 1827208622931, 0, 1795672622931, 1795672622937, NULL, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL, NULL, 1827208622931, NULL, NULL, 0, 'password:1795672622928 totp:1795672622946', NULL, NULL, NULL);
INSERT INTO public.session VALUES (3, 'YxK1pIcCHwk-CjnbjgGkSw', 'clarity', '0074d2fb-9256-4a69-8fb2-392f7927b447', 1795672622880, 1795672622956, 315273600, 1827208622880, 1827208622880, 1, 1795672622956, NULL, 1795672622956, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL, '758a24ca-dbae-480f-8037-46ce2e94beac', 1827208622880, NULL, NULL, 0, 'password:1795672622875', NULL, 1795672622880, NULL);
INSERT INTO public.signing_key VALUES (1, 'idp', '1_xR2LFJCMmNjNJ5VDV3jxnsiMXvEvUx9jRhzaSlcq0', 'ES256', '\x98649c103c6f406c9a6a3000ddee1ec3304fdcd343c82d6ede213476a327e1c75b73a65227f85bae01b55679331ad0391198f4c0c0626bb9aac0562d', 1795672622527, NULL);
INSERT INTO public.signing_key VALUES (2, 'clarity', 'b8xsCBsn7r9VYr-6ydmDYckEjqjPW-I-RcaI_UpH-jA', 'ES256', '\x0236dfaaa97a16b8d0caa438fbbcf27b65c839e227114ba84f0b109e74324625aa1815019de7768ae785be34bca56ea7d99f05c0402516c0a3e728db', 1795672622533, NULL);
INSERT INTO public.statistic VALUES ('vici', 1795669200000, 'message', '', 'email', '', 'sent', 7, 1);
INSERT INTO public.statistic VALUES ('clarity', 1795669200000, 'message', '', 'email', '', 'sent', 2, 1);
INSERT INTO public.ticket VALUES ('vici', 'pending_factor', '\x2729bea21cd1124c70158b9f502302036a8f472e4c7819060692e27b63c6c65f', '\xb6b872b96161834cd6e83fb02c4ff207a494a170ad6bc7307e7e4f91257cd1eee2a26d8c6a83565f04be4a22020b2034', 1795673222811, 1795672622820, NULL, 'fb2ce3f2-beca-48a1-82e5-1cf04ca56180', '36b764d2-fb99-4c23-94c4-a1de67da3712');
INSERT INTO public.ticket VALUES ('clarity', 'pending_factor', '\x797c00f889fb95f4581a6af87cb181a151049ea44c83d453001e989f37ab3b9d', '\x613ba921957690d11e3295c1350cd4b6280d171601ca36e5706b83277d4bdd3eb0cd5fde635f74f46e44a520848d5cd7', 1795673222940, 1795672622948, NULL, '57cbf003-778e-4c48-9da3-22cc6d3d42dd', 'c418c0ee-6e37-4a08-86a4-49df5401c739');
SELECT pg_catalog.setval('public.account_event_number_seq', 1, false);
SELECT pg_catalog.setval('public.account_number_seq', 4, true);
SELECT pg_catalog.setval('public.audit_event_number_seq', 8, true);
SELECT pg_catalog.setval('public.event_delivery_number_seq', 1, false);
SELECT pg_catalog.setval('public.event_endpoint_number_seq', 1, false);
SELECT pg_catalog.setval('public.factor_number_seq', 2, true);
SELECT pg_catalog.setval('public.message_number_seq', 2, true);
SELECT pg_catalog.setval('public.service_key_number_seq', 1, false);
SELECT pg_catalog.setval('public.session_number_seq', 4, true);
SELECT pg_catalog.setval('public.signing_key_number_seq', 2, true);
ALTER TABLE ONLY public.account_activity
    ADD CONSTRAINT account_activity_pkey PRIMARY KEY (app, account_id);
ALTER TABLE ONLY public.account_counter
    ADD CONSTRAINT account_counter_pkey PRIMARY KEY (app);
ALTER TABLE ONLY public.account_event
    ADD CONSTRAINT account_event_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_id UNIQUE (app, id);
ALTER TABLE ONLY public.account_name
    ADD CONSTRAINT account_name_pkey PRIMARY KEY (app, name);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_number UNIQUE (app, number);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_phone_number UNIQUE (app, phone_number);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.account_role
    ADD CONSTRAINT account_role_pkey PRIMARY KEY (app, role, number);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_subject UNIQUE (app, provider_issuer, provider_subject);
ALTER TABLE ONLY public.active_accounts
    ADD CONSTRAINT active_accounts_pkey PRIMARY KEY (app, period, starts_on, slot);
ALTER TABLE ONLY public.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.audit_event
    ADD CONSTRAINT audit_event_happened_at_operation_key UNIQUE (happened_at, operation);
ALTER TABLE ONLY public.audit_event_2026_11
    ADD CONSTRAINT audit_event_2026_11_happened_at_operation_key UNIQUE (happened_at, operation);
ALTER TABLE ONLY public.audit_event
    ADD CONSTRAINT audit_event_pkey PRIMARY KEY (number, happened_at);
ALTER TABLE ONLY public.audit_event_2026_11
    ADD CONSTRAINT audit_event_2026_11_pkey PRIMARY KEY (number, happened_at);
ALTER TABLE ONLY public.audit_event_2026_12
    ADD CONSTRAINT audit_event_2026_12_happened_at_operation_key UNIQUE (happened_at, operation);
ALTER TABLE ONLY public.audit_event_2026_12
    ADD CONSTRAINT audit_event_2026_12_pkey PRIMARY KEY (number, happened_at);
ALTER TABLE ONLY public.audit_event_2027_01
    ADD CONSTRAINT audit_event_2027_01_happened_at_operation_key UNIQUE (happened_at, operation);
ALTER TABLE ONLY public.audit_event_2027_01
    ADD CONSTRAINT audit_event_2027_01_pkey PRIMARY KEY (number, happened_at);
ALTER TABLE ONLY public.audit_event_default
    ADD CONSTRAINT audit_event_default_happened_at_operation_key UNIQUE (happened_at, operation);
ALTER TABLE ONLY public.audit_event_default
    ADD CONSTRAINT audit_event_default_pkey PRIMARY KEY (number, happened_at);
ALTER TABLE ONLY public.code
    ADD CONSTRAINT code_app_id_key UNIQUE (app, id);
ALTER TABLE ONLY public.code
    ADD CONSTRAINT code_pkey PRIMARY KEY (app, recipient);
ALTER TABLE ONLY public.event_delivery
    ADD CONSTRAINT event_delivery_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.event_endpoint
    ADD CONSTRAINT event_endpoint_id_key UNIQUE (id);
ALTER TABLE ONLY public.event_endpoint
    ADD CONSTRAINT event_endpoint_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.factor
    ADD CONSTRAINT factor_app_credential_id_key UNIQUE (app, credential_id);
ALTER TABLE ONLY public.factor
    ADD CONSTRAINT factor_app_id_key UNIQUE (app, id);
ALTER TABLE ONLY public.factor
    ADD CONSTRAINT factor_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.generation_use
    ADD CONSTRAINT generation_use_pkey PRIMARY KEY (session, generation);
ALTER TABLE ONLY public.idempotent_request
    ADD CONSTRAINT idempotent_request_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.known_network
    ADD CONSTRAINT known_network_pkey PRIMARY KEY (subject, network);
ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_id_key UNIQUE (id);
ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.message_record
    ADD CONSTRAINT message_record_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operation
    ADD CONSTRAINT operation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.recovery_code
    ADD CONSTRAINT recovery_code_pkey PRIMARY KEY (app, account_id, hash);
ALTER TABLE ONLY public.reset_token
    ADD CONSTRAINT reset_token_app_hash_key UNIQUE (app, hash);
ALTER TABLE ONLY public.reset_token
    ADD CONSTRAINT reset_token_pkey PRIMARY KEY (app, recipient);
ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_pkey PRIMARY KEY (app, name);
ALTER TABLE ONLY public.schema_step
    ADD CONSTRAINT schema_step_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.service_key
    ADD CONSTRAINT service_key_id_key UNIQUE (id);
ALTER TABLE ONLY public.service_key
    ADD CONSTRAINT service_key_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.session_attachment
    ADD CONSTRAINT session_attachment_pkey PRIMARY KEY (session);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_id_key UNIQUE (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_app_kid_key UNIQUE (app, kid);
ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.statistic
    ADD CONSTRAINT statistic_pkey PRIMARY KEY (app, starts_at, series, operation, method, factor, outcome, slot);
ALTER TABLE ONLY public.statistics_position
    ADD CONSTRAINT statistics_position_pkey PRIMARY KEY (source);
ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_pkey PRIMARY KEY (app, kind, hash);
CREATE INDEX account_created ON public.account USING btree (app, created_at, number);
CREATE INDEX account_disabled ON public.account USING btree (app, created_at, number) WHERE (NOT is_active);
CREATE INDEX account_email_prefix ON public.account USING btree (app, lower(email), number) WHERE (email IS NOT NULL);
CREATE INDEX account_event_refusal ON public.account_event USING btree (app, account_id, created_at) WHERE (type = 'sign_in.refused'::text);
CREATE INDEX account_full_name_prefix ON public.account USING btree (app, lower(full_name), number) WHERE (full_name IS NOT NULL);
CREATE INDEX account_hash_cost ON public.account USING btree (app, substr(password_hash, 5, 2)) WHERE (password_hash IS NOT NULL);
CREATE UNIQUE INDEX account_imported_subject ON public.account USING btree (app, provider, provider_subject) WHERE (provider_issuer IS NULL);
CREATE INDEX account_name_account ON public.account_name USING btree (app, account_id);
CREATE INDEX account_provider ON public.account USING btree (app, provider, created_at, number);
CREATE INDEX account_role_account ON public.account_role USING hash (number);
CREATE INDEX account_username_prefix ON public.account USING btree (app, lower(username), number) WHERE (username IS NOT NULL);
CREATE INDEX active_accounts_start ON public.active_accounts USING btree (starts_on);
CREATE INDEX attempt_sweep ON public.attempt USING btree (sweep_at);
CREATE INDEX audit_event_account ON ONLY public.audit_event USING btree (app, account_id, happened_at, number) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_event_2026_11_app_account_id_happened_at_number_idx ON public.audit_event_2026_11 USING btree (app, account_id, happened_at, number) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_event_action ON ONLY public.audit_event USING btree (app, action, happened_at, number);
CREATE INDEX audit_event_2026_11_app_action_happened_at_number_idx ON public.audit_event_2026_11 USING btree (app, action, happened_at, number);
CREATE INDEX audit_event_app ON ONLY public.audit_event USING btree (app, happened_at, number);
CREATE INDEX audit_event_2026_11_app_happened_at_number_idx ON public.audit_event_2026_11 USING btree (app, happened_at, number);
CREATE INDEX audit_event_refusal ON ONLY public.audit_event USING btree (app, outcome, happened_at, number) WHERE (outcome <> 'ok'::text);
CREATE INDEX audit_event_2026_11_app_outcome_happened_at_number_idx ON public.audit_event_2026_11 USING btree (app, outcome, happened_at, number) WHERE (outcome <> 'ok'::text);
CREATE INDEX audit_event_2026_12_app_account_id_happened_at_number_idx ON public.audit_event_2026_12 USING btree (app, account_id, happened_at, number) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_event_2026_12_app_action_happened_at_number_idx ON public.audit_event_2026_12 USING btree (app, action, happened_at, number);
CREATE INDEX audit_event_2026_12_app_happened_at_number_idx ON public.audit_event_2026_12 USING btree (app, happened_at, number);
CREATE INDEX audit_event_2026_12_app_outcome_happened_at_number_idx ON public.audit_event_2026_12 USING btree (app, outcome, happened_at, number) WHERE (outcome <> 'ok'::text);
CREATE INDEX audit_event_2027_01_app_account_id_happened_at_number_idx ON public.audit_event_2027_01 USING btree (app, account_id, happened_at, number) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_event_2027_01_app_action_happened_at_number_idx ON public.audit_event_2027_01 USING btree (app, action, happened_at, number);
CREATE INDEX audit_event_2027_01_app_happened_at_number_idx ON public.audit_event_2027_01 USING btree (app, happened_at, number);
CREATE INDEX audit_event_2027_01_app_outcome_happened_at_number_idx ON public.audit_event_2027_01 USING btree (app, outcome, happened_at, number) WHERE (outcome <> 'ok'::text);
CREATE INDEX audit_event_default_app_account_id_happened_at_number_idx ON public.audit_event_default USING btree (app, account_id, happened_at, number) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_event_default_app_action_happened_at_number_idx ON public.audit_event_default USING btree (app, action, happened_at, number);
CREATE INDEX audit_event_default_app_happened_at_number_idx ON public.audit_event_default USING btree (app, happened_at, number);
CREATE INDEX audit_event_default_app_outcome_happened_at_number_idx ON public.audit_event_default USING btree (app, outcome, happened_at, number) WHERE (outcome <> 'ok'::text);
CREATE INDEX code_end ON public.code USING btree (expires_at);
CREATE INDEX event_delivery_claim ON public.event_delivery USING btree (claimed_by) WHERE (claimed_by IS NOT NULL);
CREATE INDEX event_delivery_due ON public.event_delivery USING btree (due_at, number) WHERE (state = 'pending'::text);
CREATE INDEX event_delivery_end ON public.event_delivery USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX event_delivery_endpoint ON public.event_delivery USING btree (endpoint_id, number);
CREATE INDEX event_delivery_event ON public.event_delivery USING btree (event);
CREATE INDEX event_delivery_failed ON public.event_delivery USING btree (number) WHERE (state = 'failed'::text);
CREATE INDEX event_delivery_order ON public.event_delivery USING btree (endpoint_id, order_key, number) WHERE (state = 'pending'::text);
CREATE INDEX factor_account ON public.factor USING btree (app, account_id, number);
CREATE INDEX factor_passkey ON public.factor USING btree (app, account_id) WHERE (kind = 'passkey'::text);
CREATE INDEX factor_totp ON public.factor USING btree (app, account_id) WHERE (kind = 'totp'::text);
CREATE INDEX idempotent_request_expiry ON public.idempotent_request USING btree (expires_at);
CREATE INDEX known_network_end ON public.known_network USING btree (expires_at);
CREATE INDEX message_claim ON public.message USING btree (claimed_by) WHERE (claimed_by IS NOT NULL);
CREATE INDEX message_due ON public.message USING btree (due_at);
CREATE INDEX message_order ON public.message USING btree (created_at, number);
CREATE INDEX message_record_app ON public.message_record USING btree (app, created_at, id);
CREATE INDEX message_record_failed ON public.message_record USING btree (app, created_at, id) WHERE (outcome = 'failed'::text);
CREATE INDEX message_record_recipient ON public.message_record USING btree (app, recipient_hash, created_at, id);
CREATE INDEX message_record_sealed ON public.message_record USING btree (useful_until) WHERE (sealed IS NOT NULL);
CREATE INDEX message_record_time ON public.message_record USING btree (created_at);
CREATE INDEX operation_end ON public.operation USING btree (done_at);
CREATE INDEX reset_token_account ON public.reset_token USING btree (app, account_id);
CREATE INDEX reset_token_end ON public.reset_token USING btree (expires_at);
CREATE INDEX session_account ON public.session USING btree (app, account_id, revoked_at);
CREATE INDEX session_actor ON public.session USING btree (actor) WHERE (actor IS NOT NULL);
CREATE INDEX session_sweep ON public.session USING btree (sweep_at);
CREATE INDEX statistic_start ON public.statistic USING btree (starts_at);
CREATE INDEX ticket_end ON public.ticket USING btree (expires_at);
ALTER INDEX public.audit_event_account ATTACH PARTITION public.audit_event_2026_11_app_account_id_happened_at_number_idx;
ALTER INDEX public.audit_event_action ATTACH PARTITION public.audit_event_2026_11_app_action_happened_at_number_idx;
ALTER INDEX public.audit_event_app ATTACH PARTITION public.audit_event_2026_11_app_happened_at_number_idx;
ALTER INDEX public.audit_event_refusal ATTACH PARTITION public.audit_event_2026_11_app_outcome_happened_at_number_idx;
ALTER INDEX public.audit_event_happened_at_operation_key ATTACH PARTITION public.audit_event_2026_11_happened_at_operation_key;
ALTER INDEX public.audit_event_pkey ATTACH PARTITION public.audit_event_2026_11_pkey;
ALTER INDEX public.audit_event_account ATTACH PARTITION public.audit_event_2026_12_app_account_id_happened_at_number_idx;
ALTER INDEX public.audit_event_action ATTACH PARTITION public.audit_event_2026_12_app_action_happened_at_number_idx;
ALTER INDEX public.audit_event_app ATTACH PARTITION public.audit_event_2026_12_app_happened_at_number_idx;
ALTER INDEX public.audit_event_refusal ATTACH PARTITION public.audit_event_2026_12_app_outcome_happened_at_number_idx;
ALTER INDEX public.audit_event_happened_at_operation_key ATTACH PARTITION public.audit_event_2026_12_happened_at_operation_key;
ALTER INDEX public.audit_event_pkey ATTACH PARTITION public.audit_event_2026_12_pkey;
ALTER INDEX public.audit_event_account ATTACH PARTITION public.audit_event_2027_01_app_account_id_happened_at_number_idx;
ALTER INDEX public.audit_event_action ATTACH PARTITION public.audit_event_2027_01_app_action_happened_at_number_idx;
ALTER INDEX public.audit_event_app ATTACH PARTITION public.audit_event_2027_01_app_happened_at_number_idx;
ALTER INDEX public.audit_event_refusal ATTACH PARTITION public.audit_event_2027_01_app_outcome_happened_at_number_idx;
ALTER INDEX public.audit_event_happened_at_operation_key ATTACH PARTITION public.audit_event_2027_01_happened_at_operation_key;
ALTER INDEX public.audit_event_pkey ATTACH PARTITION public.audit_event_2027_01_pkey;
ALTER INDEX public.audit_event_account ATTACH PARTITION public.audit_event_default_app_account_id_happened_at_number_idx;
ALTER INDEX public.audit_event_action ATTACH PARTITION public.audit_event_default_app_action_happened_at_number_idx;
ALTER INDEX public.audit_event_app ATTACH PARTITION public.audit_event_default_app_happened_at_number_idx;
ALTER INDEX public.audit_event_refusal ATTACH PARTITION public.audit_event_default_app_outcome_happened_at_number_idx;
ALTER INDEX public.audit_event_happened_at_operation_key ATTACH PARTITION public.audit_event_default_happened_at_operation_key;
ALTER INDEX public.audit_event_pkey ATTACH PARTITION public.audit_event_default_pkey;
CREATE TRIGGER account_role_added AFTER INSERT ON public.account FOR EACH ROW WHEN ((new.roles <> '[]'::text)) EXECUTE FUNCTION public.derive_account_roles();
CREATE TRIGGER account_role_changed AFTER UPDATE OF roles ON public.account FOR EACH ROW WHEN ((new.roles <> old.roles)) EXECUTE FUNCTION public.derive_account_roles();
CREATE TRIGGER event_account AFTER INSERT OR DELETE ON public.account FOR EACH ROW EXECUTE FUNCTION public.event_of_account();
CREATE TRIGGER event_account_update AFTER UPDATE OF email, is_email_verified, username, phone_number, is_phone_number_verified, full_name, attributes, roles, is_active, password_hash, provider_subject ON public.account FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.event_of_account();
CREATE TRIGGER event_factor_added AFTER INSERT ON public.factor FOR EACH ROW EXECUTE FUNCTION public.event_of_factor('factor.added');
CREATE TRIGGER event_factor_removed AFTER DELETE ON public.factor FOR EACH ROW EXECUTE FUNCTION public.event_of_factor('factor.removed');
CREATE TRIGGER event_forgotten AFTER DELETE ON public.event_delivery FOR EACH ROW EXECUTE FUNCTION public.event_forget();
CREATE TRIGGER event_queued AFTER INSERT ON public.account_event FOR EACH ROW WHEN ((new.type <> 'endpoint.test'::text)) EXECUTE FUNCTION public.event_queue();
CREATE TRIGGER event_reset_requested AFTER INSERT ON public.reset_token FOR EACH ROW WHEN ((new.account_id IS NOT NULL)) EXECUTE FUNCTION public.event_of_reset();
CREATE TRIGGER event_reset_requested_again AFTER UPDATE OF hash ON public.reset_token FOR EACH ROW WHEN (((new.account_id IS NOT NULL) AND (new.hash IS DISTINCT FROM old.hash))) EXECUTE FUNCTION public.event_of_reset();
CREATE TRIGGER event_session_created AFTER INSERT ON public.session FOR EACH ROW EXECUTE FUNCTION public.event_of_session('session.created');
CREATE TRIGGER event_session_revoked AFTER UPDATE OF revoked_at ON public.session FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL) AND (new.idle_ends_at > new.revoked_at))) EXECUTE FUNCTION public.event_of_session('session.revoked');
ALTER TABLE ONLY public.account_activity
    ADD CONSTRAINT account_activity_app_account_id_fkey FOREIGN KEY (app, account_id) REFERENCES public.account(app, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.account_name
    ADD CONSTRAINT account_name_app_account_id_fkey FOREIGN KEY (app, account_id) REFERENCES public.account(app, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.account_role
    ADD CONSTRAINT account_role_number_fkey FOREIGN KEY (number) REFERENCES public.account(number) ON DELETE CASCADE;
ALTER TABLE ONLY public.factor
    ADD CONSTRAINT factor_app_account_id_fkey FOREIGN KEY (app, account_id) REFERENCES public.account(app, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.generation_use
    ADD CONSTRAINT generation_use_session_fkey FOREIGN KEY (session) REFERENCES public.session(number) ON DELETE CASCADE;
ALTER TABLE ONLY public.recovery_code
    ADD CONSTRAINT recovery_code_app_account_id_fkey FOREIGN KEY (app, account_id) REFERENCES public.account(app, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reset_token
    ADD CONSTRAINT reset_token_app_account_id_fkey FOREIGN KEY (app, account_id) REFERENCES public.account(app, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_app_account_id_fkey FOREIGN KEY (app, account_id) REFERENCES public.account(app, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session_attachment
    ADD CONSTRAINT session_attachment_session_fkey FOREIGN KEY (session) REFERENCES public.session(number) ON DELETE CASCADE;
