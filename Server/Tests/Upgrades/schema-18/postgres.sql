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
CREATE FUNCTION public.forget_remembered_devices() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    changed factor%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
    UPDATE device SET remembered_until = NULL, remembered_for = NULL
    WHERE app = changed.app AND account_id = changed.account_id AND remembered_until IS NOT NULL;
    RETURN NULL;
END
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
CREATE TABLE public.app_key (
    app text NOT NULL COLLATE pg_catalog."C",
    id bytea NOT NULL,
    public_key bytea NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    counter bigint NOT NULL,
    created_at bigint NOT NULL,
    kept_until bigint NOT NULL,
    used_by uuid
)
WITH (fillfactor='80');
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
CREATE TABLE public.device (
    number bigint NOT NULL,
    app text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    presentations bigint NOT NULL,
    device_id text COLLATE pg_catalog."C",
    platform text COLLATE pg_catalog."C",
    os_version text COLLATE pg_catalog."C",
    app_version text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    user_agent text COLLATE pg_catalog."C",
    remembered_until bigint,
    remembered_for bytea,
    CONSTRAINT device_check CHECK (((remembered_until IS NULL) = (remembered_for IS NULL)))
)
WITH (fillfactor='80');
ALTER TABLE public.device ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.device_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
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
    bound_key text COLLATE pg_catalog."C",
    CONSTRAINT session_check CHECK ((idle_ends_at <= ends_at)),
    CONSTRAINT session_check1 CHECK (((revoked_at IS NULL) = (revoke_reason IS NULL))),
    CONSTRAINT session_generation_check CHECK ((generation >= 0))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02');
CREATE TABLE public.session_app_key (
    session bigint NOT NULL,
    key_id bytea NOT NULL
);
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
CREATE TABLE public.sign_in_history (
    app text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    expires_at bigint NOT NULL
)
WITH (fillfactor='80');
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
CREATE TABLE public.store_key (
    name text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    created_at bigint NOT NULL
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
INSERT INTO public.account VALUES (1, 'vici', 'aa9bfca9-a4bd-494a-ae97-1f04ad27d8e9', 'plain@vici.example', NULL, NULL, 'Some One', '$2b$10$72RWVGtGu6J3mteiOLsmyOYFGnaQELoTJGH2o33x.JDS2b5.cXTtq', '[]', true, 'local', NULL, NULL, false, 0, 0, 1795672626611, NULL, NULL, NULL, '{}');
INSERT INTO public.account VALUES (2, 'vici', '7fe93b9d-34a8-4738-b393-e39b30219179', 'careful@vici.example', NULL, NULL, 'Some One', '$2b$10$JIrVMZQzCEwWAduJmMmTmOf7DXFxag6UUZphA6EPDq4kyOt8Hk8xO', '[]', true, 'local', NULL, NULL, false, 0, 0, 1795672626681, NULL, NULL, NULL, '{}');
INSERT INTO public.account VALUES (3, 'clarity', '66b42b91-8aa3-4f0e-b4a9-3abedccfc3bf', 'plain@clarity.example', NULL, NULL, 'Some One', '$2b$10$1yL0usIjDGUqOEc82vxH8uRpkHH3LqbHSE8vrwXLs0q25fg9n09/C', '[]', true, 'local', NULL, NULL, false, 0, 0, 1795672626769, NULL, NULL, NULL, '{}');
INSERT INTO public.account VALUES (4, 'clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', 'careful@clarity.example', NULL, NULL, 'Some One', '$2b$10$wlUhiRqWuzvdLHD8i5ZLseXSqO2zs5XsIsEO6RoPwju5dl8oPFij2', '[]', true, 'local', NULL, NULL, false, 0, 0, 1795672626833, NULL, NULL, NULL, '{}');
INSERT INTO public.account_activity VALUES ('vici', 'aa9bfca9-a4bd-494a-ae97-1f04ad27d8e9', 1795672626625, 20783, NULL);
INSERT INTO public.account_activity VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', 1795672626684, 20783, NULL);
INSERT INTO public.account_activity VALUES ('clarity', '66b42b91-8aa3-4f0e-b4a9-3abedccfc3bf', 1795672626776, 20783, NULL);
INSERT INTO public.account_activity VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', 1795672626842, 20783, NULL);
INSERT INTO public.account_name VALUES ('vici', 'plain@vici.example', 'aa9bfca9-a4bd-494a-ae97-1f04ad27d8e9');
INSERT INTO public.account_name VALUES ('vici', 'careful@vici.example', '7fe93b9d-34a8-4738-b393-e39b30219179');
INSERT INTO public.account_name VALUES ('clarity', 'plain@clarity.example', '66b42b91-8aa3-4f0e-b4a9-3abedccfc3bf');
INSERT INTO public.account_name VALUES ('clarity', 'careful@clarity.example', 'abb17c71-8e06-4c2b-9746-628a9772d862');
INSERT INTO public.active_accounts VALUES ('vici', 'day', 20783, 7, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'month', 20758, 7, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'week', 20780, 7, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'day', 20783, 14, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'month', 20758, 14, 1);
INSERT INTO public.active_accounts VALUES ('vici', 'week', 20780, 14, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'day', 20783, 9, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'month', 20758, 9, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'week', 20780, 9, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'day', 20783, 13, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'month', 20758, 13, 1);
INSERT INTO public.active_accounts VALUES ('clarity', 'week', 20780, 13, 1);
INSERT INTO public.attempt VALUES ('D/3YirF1ykxWRBG+A+kPQ0Ya', 1795672686533, '61871302-97a0-4712-8e52-c2eaca3a6b23', 1795672626533, 0, 0);
INSERT INTO public.attempt VALUES ('NwuJtm06DHCIGtcKnLdKnOh6', 1795672632533, '61871302-97a0-4712-8e52-c2eaca3a6b23', 1795672626533, 0, 0);
INSERT INTO public.attempt VALUES ('butdlWks78dCmkbn8eCzvK+C', 1795672686533, '34c43032-fe5a-4966-8edc-4794a80ccd4e', 1795672626533, 0, 0);
INSERT INTO public.attempt VALUES ('2QI/Cy8Tq+SofayRS7s6rHK5', 1795672632636, '34c43032-fe5a-4966-8edc-4794a80ccd4e', 1795672626636, 0, 0);
INSERT INTO public.attempt VALUES ('zvGOTvozLD6U1CN/iuOWMa0b', 1795672686636, '34c43032-fe5a-4966-8edc-4794a80ccd4e', 1795672626636, 0, 0);
INSERT INTO public.attempt VALUES ('ZAC0WImZCUoGzufBBli4ISMI', 1795672662705, 'e22aa82a-28e2-44de-8ee4-5b002bd455b1', 1795672626705, 0, 0);
INSERT INTO public.attempt VALUES ('fAiVFO83DIxXYq4j0BhjPBRY', 1795672986705, 'e22aa82a-28e2-44de-8ee4-5b002bd455b1', 1795672626705, 0, 0);
INSERT INTO public.attempt VALUES ('B57AIenLKDdvvcTYlZp+NIOG', 1795676946706, '857e108b-b434-48ec-b4e9-3982e255ded8', 1795672626706, 0, 0);
INSERT INTO public.attempt VALUES ('IyJCqe8fXa0fKnb1UUrQoAxq', 1795672626697, '0687e7f3-12a9-478a-9537-db4b461327ef', 1795672626697, 0, 0);
INSERT INTO public.attempt VALUES ('5PSfGa7EwjRVkGem47bk+hsN', 1795672686724, 'e059fa15-b1e0-4567-9ce9-ebe24040a8e0', 1795672626724, 0, 0);
INSERT INTO public.attempt VALUES ('xD8n6otK+c9HvFfTnObjsUVO', 1795672632724, 'e059fa15-b1e0-4567-9ce9-ebe24040a8e0', 1795672626724, 0, 0);
INSERT INTO public.attempt VALUES ('K3iZWtNIJrZ5C2AuTCJDRNns', 1795672686724, '2b10cda4-a81b-4718-88dd-1e7c566fb6cc', 1795672626724, 0, 0);
INSERT INTO public.attempt VALUES ('/wLneh2CdSCmT8tDBvrBTgG6', 1795672632781, '2b10cda4-a81b-4718-88dd-1e7c566fb6cc', 1795672626781, 0, 0);
INSERT INTO public.attempt VALUES ('7+mQK2ZFuBBV2jqKkgVBCNUw', 1795672686781, '2b10cda4-a81b-4718-88dd-1e7c566fb6cc', 1795672626781, 0, 0);
INSERT INTO public.attempt VALUES ('5ERRUz3waGPOvx1O3avXXCE+', 1795674354565, '89af71fb-6206-40e4-bc72-be29f7ca569d', 1795672626565, 0, 0);
INSERT INTO public.attempt VALUES ('q4XCup3Cs2t/b2ZTsqbfBkRS', 1795672633765, '89af71fb-6206-40e4-bc72-be29f7ca569d', 1795672626565, 0, 0);
INSERT INTO public.attempt VALUES ('Pkr6k3gI7IB0d0TqKle6fcp5', 1795672986856, '9caea3f1-3e01-4364-b0a1-10fb416dc932', 1795672626856, 0, 0);
INSERT INTO public.attempt VALUES ('pwGs+hcc4L8QI/WyoewZ8J+F', 1795672662856, '9caea3f1-3e01-4364-b0a1-10fb416dc932', 1795672626856, 0, 0);
INSERT INTO public.attempt VALUES ('M5+87y+oBcNb4MeCnP05wQZa', 1795676946856, '1796259d-81d0-4a33-a747-55ad22e54cdb', 1795672626856, 0, 0);
INSERT INTO public.attempt VALUES ('kBHnhY/BpLZF7Y+yMVi8cYwy', 1795672626853, 'c602d15a-b288-4bde-bcf5-78ac2c7c6848', 1795672626853, 0, 0);
INSERT INTO public.audit_event_2026_11 VALUES (1, 1795672626628, 'vici', 'register', 'ok', 'aa9bfca9-a4bd-494a-ae97-1f04ad27d8e9', 'awmNEz9qb6mDy7VyxN3dAQ', 'p***@vici.example', '127.0.0.1', NULL, 'b5ac1c83-09bc-4810-be82-49bcf178e63c', '756', NULL, NULL, NULL, true, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (2, 1795672626688, 'vici', 'register', 'ok', '7fe93b9d-34a8-4738-b393-e39b30219179', 'Tq2lLE5eglpbR8vdhUelhw', 'c***@vici.example', '127.0.0.1', NULL, '63111d81-c62a-4deb-8bc1-98f23d872702', '763', NULL, NULL, NULL, true, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (3, 1795672626694, 'vici', 'beginTOTP', 'ok', '7fe93b9d-34a8-4738-b393-e39b30219179', 'Tq2lLE5eglpbR8vdhUelhw', NULL, '127.0.0.1', NULL, '32422551-505c-440c-9e40-c81a73f57708', '766', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (4, 1795672626712, 'vici', 'confirmTOTP', 'ok', '7fe93b9d-34a8-4738-b393-e39b30219179', 'Tq2lLE5eglpbR8vdhUelhw', NULL, '127.0.0.1', NULL, 'b03cd078-e6cd-4cb6-acec-448878b89227', '774', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (5, 1795672626778, 'clarity', 'register', 'ok', '66b42b91-8aa3-4f0e-b4a9-3abedccfc3bf', 'QZ8F2lEAc23SDdA7z0MbuQ', 'p***@clarity.example', '127.0.0.1', NULL, '8c60f3c1-bd5d-4824-958c-86ee0fb87236', '782', NULL, NULL, NULL, true, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (6, 1795672626844, 'clarity', 'register', 'ok', 'abb17c71-8e06-4c2b-9746-628a9772d862', 'ZzhNMwpUxsWfzjC9HeqTiQ', 'c***@clarity.example', '127.0.0.1', NULL, '1f00a459-50cd-49d8-965b-799f835f7368', '789', NULL, NULL, NULL, true, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (7, 1795672626849, 'clarity', 'beginTOTP', 'ok', 'abb17c71-8e06-4c2b-9746-628a9772d862', 'ZzhNMwpUxsWfzjC9HeqTiQ', NULL, '127.0.0.1', NULL, '87d3f7e3-10f3-482a-8340-ba3dc10c5f05', '792', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.audit_event_2026_11 VALUES (8, 1795672626868, 'clarity', 'confirmTOTP', 'ok', 'abb17c71-8e06-4c2b-9746-628a9772d862', 'ZzhNMwpUxsWfzjC9HeqTiQ', NULL, '127.0.0.1', NULL, '2f887e73-a732-4ee9-ad09-a9761f0695d2', '800', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.device VALUES (1, 'vici', 'aa9bfca9-a4bd-494a-ae97-1f04ad27d8e9', 'c35YV2nWEOZGsB9boCbUIA', '\xc36073345351286f19fe045b6402aa4ab539c08651cece430da0b705a69efebb', 1795672626627, 1795672626627, 1811224626627, 0, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL);
INSERT INTO public.device VALUES (2, 'vici', '7fe93b9d-34a8-4738-b393-e39b30219179', 'RVEl8Mmejck2_L5Gl-spuw', '\x11db0a10c30280ff25d0bf0e6adbd6754ecb9a4aa587d810ad6d285a4842443c', 1795672626686, 1795672626686, 1811224626686, 0, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL);
INSERT INTO public.device VALUES (3, 'clarity', '66b42b91-8aa3-4f0e-b4a9-3abedccfc3bf', 'MNbkIC99anWptvrGEV__9w', '\xbcbc8fa27ac65493c8c4c24e304167120e5277186a513765dc42735be0c16139', 1795672626777, 1795672626777, 1811224626777, 0, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL);
INSERT INTO public.device VALUES (4, 'clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', 'FJIZ_kMdH7co-P5AcyAGJg', '\x8c452360d4d346d07831172b629deefd4c7c05c2b7631677915397467734d10f', 1795672626843, 1795672626843, 1811224626843, 0, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL);
INSERT INTO public.factor VALUES (1, 'vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '8ROXaA2idy49UrCQjCXTZg', 'totp', 'Téléphone', '\xa5da72ac8b7ce48676cccfdbea71b7f519924c91fb1a4d40c7bc83c649dae9c55e98effae415e11fce98c509dcdacdaf', NULL, 59855753, 1795672626704, NULL, NULL);
INSERT INTO public.factor VALUES (2, 'clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '9A7UHROVK4siehZYdVjSPw', 'totp', 'Téléphone', '\xba46ca3c9e56cd14333fb569aa33f767e508376d403c513b9350e5db0621c87626ce7f79101b16943420e9c4ac9856f4', NULL, 59855753, 1795672626855, NULL, NULL);
INSERT INTO public.generation_use VALUES (1, 0, 1795672626716);
INSERT INTO public.generation_use VALUES (3, 0, 1795672626871);
INSERT INTO public.known_network VALUES ('\x00e8af116f79e4ab1f84880ed38642aaa1bd', '\x01b67aae0e7a30398e24ab42f04f9fb05174', 1798264626620);
INSERT INTO public.known_network VALUES ('\x9d45ef856279f032567dabe624dbc0b8109b', '\x01b67aae0e7a30398e24ab42f04f9fb05174', 1798264626683);
INSERT INTO public.known_network VALUES ('\xf1a9b9f7209c78048533271aaba5c1152199', '\xdef278d929cdf2933cefac08d06ae882318c', 1798264626771);
INSERT INTO public.known_network VALUES ('\x84a024b9c216734f6ef98905eb2562941f2f', '\xdef278d929cdf2933cefac08d06ae882318c', 1798264626841);
INSERT INTO public.message_record VALUES ('d2af2cc468ba2472007c70f02e15a383', 'vici', 'email', 'factors_changed', 'c***@vici.example', '\x838c487148b49d1d5615908125474fc1e7225f75596450b59c04832d73e0322a', 'sent', 1, NULL, 1795672626708, 1795672626712, 1795759026708, NULL);
INSERT INTO public.message_record VALUES ('dba0adcf5cc5a5f0fc9d248cbc13fbeb', 'clarity', 'email', 'factors_changed', 'c***@clarity.example', '\xa0881b9cfdff629684f2b88ea19df3aabd6177c4bbc2ecfc962d636f1901fc4a', 'sent', 1, NULL, 1795672626858, 1795672626861, 1795759026858, NULL);
INSERT INTO public.operation VALUES ('fd45731f-8d6a-4419-8cbe-a2fec5ea5bdb', 1795672626611, 'aa9bfca9-a4bd-494a-ae97-1f04ad27d8e9');
INSERT INTO public.operation VALUES ('919e986e-0c53-4f61-81ec-e096ecbc34e4', 1795672626681, '7fe93b9d-34a8-4738-b393-e39b30219179');
INSERT INTO public.operation VALUES ('9870dab5-2ccb-46bb-af39-7dc4834f5a39', 1795672626708, 'recovery codes');
INSERT INTO public.operation VALUES ('725e78a4-0772-4ef1-9f5f-5fba2699737b', 1795672626769, '66b42b91-8aa3-4f0e-b4a9-3abedccfc3bf');
INSERT INTO public.operation VALUES ('cc780e5f-abf6-460c-8fd4-0b8916b60ea7', 1795672626834, 'abb17c71-8e06-4c2b-9746-628a9772d862');
INSERT INTO public.operation VALUES ('cef77bca-7b1e-4bd5-aae8-ef55f9ac0af0', 1795672626858, 'recovery codes');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\x2f1f9d6abaecf9b540587e6d1261a183cc3e5bd5fe3242d7d33a6658cb4f0910');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\x1d41b557b4a70da0de8cb3af7de069ec4443bd7ccc615e6a233eed62c367dd15');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\x4c9e4c290b8032a168bbdf953c986ab67b9fc11748959a952f58b95808dd4e4a');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\x506764fb2d9198022c6333c14c44c26bee5c918498edebcdb47a53005de56e34');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\x04211ac2a81bc0133022b5d95d2ebb7a5c7d5e5f561d6c2897ed0c076c871b0f');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\x76ec5cfe01efdb4f54c4b25e21b630d87ae9cef2612eaf243773e9e0b22fbdf4');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\x98a21234e4da5b83a60f0f7c8ba4351bcf3044a67c9721925382e7cab2f9e5ae');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\x0f5e583f33d62986b9c83cdac499e1464ce966ede54439098b10b304b84b2add');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\xa480fd9451890106c332f8c75c6c1c21a924452aafa91108e65a9db06f88c396');
INSERT INTO public.recovery_code VALUES ('vici', '7fe93b9d-34a8-4738-b393-e39b30219179', '\x345ca512978b4e43ddd554a405c6e289f70397eecde529051487e08196f4a72b');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\x1e43e3261d7a239b737f13173b09d7f98d4950993d397ae881de05502ad6a958');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\x1dde0c46632908b5c44bdc6dc79a550f98d2b34bd058377580f715e055919f1f');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\x8275e78e3424d7bb0a9b6afcc12ff3b3c5f6c146626f383c103ad838d491e270');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\x70d0f6a176ea39e1b0b8ef106101e6dfc93ef2b5a1601a7bca6827a44fa35233');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\x7b0171c0bdc6a2e1eee8b9f2ba4bf1bbed1649293b84b24e4e53a59ddf49b009');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\x6c4f8771d0b1b3d37c666d847c536155e92c2b9147fff2be2f170322d018154e');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\xefc64076447e8e49070cc854d6ab582953bd808d536564040f2512fac2e26556');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\x9157f7792f17ccc1d6ac0061fae214f99f01e3212f754791908c5dd6274ecc26');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\x5540498c68b7e3873c965b00a7577de0914bce3502d1b0d11eae6185d1ccf4d9');
INSERT INTO public.recovery_code VALUES ('clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', '\x133634233eac36814807eb82fd47b3b01a2ea4fd45ff91e51af1181b1e06894f');
INSERT INTO public.schema_step VALUES (1, 'accounts, sessions, codes, tickets, attempts, audit, outbox, keys', 1795672626147, 1);
INSERT INTO public.schema_step VALUES (2, 'actors of audit events', 1795672626250, 1);
INSERT INTO public.schema_step VALUES (3, 'issued signing keys, withdrawn refresh tokens', 1795672626251, 1);
INSERT INTO public.schema_step VALUES (4, 'consecutive failures, known networks', 1795672626251, 1);
INSERT INTO public.schema_step VALUES (5, 'second factors, authentication of sessions', 1795672626259, 1);
INSERT INTO public.schema_step VALUES (6, 'channels of password resets', 1795672626277, 1);
INSERT INTO public.schema_step VALUES (7, 'statistics', 1795672626278, 1);
INSERT INTO public.schema_step VALUES (8, 'search of accounts', 1795672626296, 1);
INSERT INTO public.schema_step VALUES (9, 'account attributes', 1795672626316, 1);
INSERT INTO public.schema_step VALUES (10, 'service keys, repeatable requests', 1795672626317, 1);
INSERT INTO public.schema_step VALUES (11, 'roles, settled messages, details of audit events, actors of sessions', 1795672626332, 1);
INSERT INTO public.schema_step VALUES (12, 'endpoints, events, deliveries', 1795672626356, 1);
INSERT INTO public.schema_step VALUES (13, 'recognized devices', 1795672626390, 1);
INSERT INTO public.schema_step VALUES (14, 'keys of sessions', 1795672626404, 1);
INSERT INTO public.schema_step VALUES (15, 'attested keys', 1795672626404, 1);
INSERT INTO public.schema_step VALUES (16, 'history of sign-ins', 1795672626414, 1);
INSERT INTO public.schema_step VALUES (17, 'keys of the store', 1795672626424, 1);
INSERT INTO public.session VALUES (2, 'Tq2lLE5eglpbR8vdhUelhw', 'vici', '7fe93b9d-34a8-4738-b393-e39b30219179', 1795672626684, 1795672626684, 315273600, 2110946226684, 2110946226684, 0, 1795672626684, 1795672626691, NULL, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL, NULL, 2110946226684, NULL, NULL, 0, 'password:1795672626681 totp:1795672626704', NULL, NULL, NULL, NULL);
INSERT INTO public.session VALUES (1, 'awmNEz9qb6mDy7VyxN3dAQ', 'vici', 'aa9bfca9-a4bd-494a-ae97-1f04ad27d8e9', 1795672626625, 1795672626716, 315273600, 2110946226625, 2110946226625, 1, 1795672626716, NULL, 1795672626716, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL, '0848bca4-b82e-4dc8-ad10-a445aa15af27', 2110946226625, NULL, NULL, 0, 'password:1795672626611', NULL, 1795672626625, NULL, NULL);
INSERT INTO public.session VALUES (4, 'ZzhNMwpUxsWfzjC9HeqTiQ', 'clarity', 'abb17c71-8e06-4c2b-9746-628a9772d862', 1795672626842, 1795672626842, 315273600, 2110946226842, 2110946226842, 0, 1795672626842, 1795672626846, NULL, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL, NULL, 2110946226842, NULL, NULL, 0, 'password:1795672626833 totp:1795672626855', NULL, NULL, NULL, NULL);
INSERT INTO public.session VALUES (3, 'QZ8F2lEAc23SDdA7z0MbuQ', 'clarity', '66b42b91-8aa3-4f0e-b4a9-3abedccfc3bf', 1795672626776, 1795672626871, 315273600, 2110946226776, 2110946226776, 1, 1795672626871, NULL, 1795672626871, NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL, '1c22bfc1-af9e-4e6b-8f2b-f22e89c4679e', 2110946226776, NULL, NULL, 0, 'password:1795672626769', NULL, 1795672626776, NULL, NULL);
INSERT INTO public.signing_key VALUES (1, 'idp', 'Pj6lViMqyn6U61w9XNpUjIZcp8mf4aJSNDLm52p-5iM', 'ES256', '\xa274fa3c587a411bdc3b24bcc9855c47191aab5c6af5ccdd6085f0100f6da9950ab933493741f1a377e37f70aba8fcca36367ee6c82f5dd8b48a47f2', 1795672626485, NULL);
INSERT INTO public.signing_key VALUES (2, 'clarity', '951aLWViH9x7YOHYismFlhvpyFqo4NQjy4QCWVPWQVI', 'ES256', '\x9136cddf186471557fe61e458c2a7d1e759930980c132d9ba8a1a34e436814463790468aa6263039fd39f18afebbe353a1c15961405171d1e5dc81d8', 1795672626491, NULL);
INSERT INTO public.statistic VALUES ('vici', 1795669200000, 'message', '', 'email', '', 'sent', 6, 1);
INSERT INTO public.statistic VALUES ('clarity', 1795669200000, 'message', '', 'email', '', 'sent', 2, 1);
INSERT INTO public.store_key VALUES ('derivation', '\x22a4f385b72c79a1be38545fb9738b1e212c84c7a627e7ae838bcfcd590d28aaa035afff4ae4bcdb996b9dfde85ff256f890d8a221cbdd385a6a88d7', 1795672626480);
INSERT INTO public.ticket VALUES ('vici', 'pending_factor', '\x38020002075e4700a5f9b2bc492a24fdab1b4a8445c0f8f3f460b70eadeda359', '\xa5da72ac8b7ce48676cccfdbea71b7f519924c91fb1a4d40c7bc83c649dae9c55e98effae415e11fce98c509dcdacdaf', 1795673226693, 1795672626708, NULL, '3708c5f1-12aa-4ce1-bd32-f814ca23b071', '9870dab5-2ccb-46bb-af39-7dc4834f5a39');
INSERT INTO public.ticket VALUES ('clarity', 'pending_factor', '\xc6a0a73dce6149b4fc91e673f4f781a53eedce7df4257b1621937e4ad73eb564', '\xba46ca3c9e56cd14333fb569aa33f767e508376d403c513b9350e5db0621c87626ce7f79101b16943420e9c4ac9856f4', 1795673226848, 1795672626858, NULL, 'ff5d164e-a753-4147-a2a1-ec53541323f3', 'cef77bca-7b1e-4bd5-aae8-ef55f9ac0af0');
SELECT pg_catalog.setval('public.account_event_number_seq', 1, false);
SELECT pg_catalog.setval('public.account_number_seq', 4, true);
SELECT pg_catalog.setval('public.audit_event_number_seq', 8, true);
SELECT pg_catalog.setval('public.device_number_seq', 4, true);
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
ALTER TABLE ONLY public.app_key
    ADD CONSTRAINT app_key_pkey PRIMARY KEY (app, id);
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
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_app_hash_key UNIQUE (app, hash);
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_app_id_key UNIQUE (app, id);
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_pkey PRIMARY KEY (number);
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
ALTER TABLE ONLY public.session_app_key
    ADD CONSTRAINT session_app_key_pkey PRIMARY KEY (session);
ALTER TABLE ONLY public.session_attachment
    ADD CONSTRAINT session_attachment_pkey PRIMARY KEY (session);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_id_key UNIQUE (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.sign_in_history
    ADD CONSTRAINT sign_in_history_pkey PRIMARY KEY (app, account_id);
ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_app_kid_key UNIQUE (app, kid);
ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.statistic
    ADD CONSTRAINT statistic_pkey PRIMARY KEY (app, starts_at, series, operation, method, factor, outcome, slot);
ALTER TABLE ONLY public.statistics_position
    ADD CONSTRAINT statistics_position_pkey PRIMARY KEY (source);
ALTER TABLE ONLY public.store_key
    ADD CONSTRAINT store_key_pkey PRIMARY KEY (name);
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
CREATE INDEX app_key_expiry ON public.app_key USING btree (kept_until);
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
CREATE INDEX device_account ON public.device USING btree (app, account_id);
CREATE INDEX device_expiry ON public.device USING btree (expires_at);
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
CREATE INDEX sign_in_history_end ON public.sign_in_history USING btree (expires_at);
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
CREATE TRIGGER device_factor_changed AFTER INSERT OR DELETE ON public.factor FOR EACH ROW EXECUTE FUNCTION public.forget_remembered_devices();
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
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_app_account_id_fkey FOREIGN KEY (app, account_id) REFERENCES public.account(app, id) ON DELETE CASCADE;
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
ALTER TABLE ONLY public.session_app_key
    ADD CONSTRAINT session_app_key_session_fkey FOREIGN KEY (session) REFERENCES public.session(number) ON DELETE CASCADE;
ALTER TABLE ONLY public.session_attachment
    ADD CONSTRAINT session_attachment_session_fkey FOREIGN KEY (session) REFERENCES public.session(number) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in_history
    ADD CONSTRAINT sign_in_history_app_account_id_fkey FOREIGN KEY (app, account_id) REFERENCES public.account(app, id) ON DELETE CASCADE;
