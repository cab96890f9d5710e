PRAGMA application_id = 1330861145;
PRAGMA user_version = 0;
BEGIN TRANSACTION;
CREATE TABLE "account" (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    id TEXT NOT NULL,
    email TEXT,
    username TEXT,
    phone_number TEXT,
    full_name TEXT,
    password_hash TEXT,
    roles TEXT NOT NULL,
    is_active BOOLEAN NOT NULL CHECK (is_active IN (TRUE, FALSE)),
    provider TEXT NOT NULL,
    -- Null for local accounts, and for imported ones until they sign in.
    provider_issuer TEXT,
    provider_subject TEXT,
    is_email_verified BOOLEAN NOT NULL CHECK (is_email_verified IN (TRUE, FALSE)),
    credential_version INTEGER NOT NULL,
    -- Grows with every change of the row.
    revision INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL, password_reset_channel TEXT, updated_at INTEGER, is_phone_number_verified BOOLEAN CHECK (is_phone_number_verified IN (TRUE, FALSE)), attributes TEXT NOT NULL DEFAULT '{}',
    UNIQUE (app, id),
    UNIQUE (app, number),
    UNIQUE (app, phone_number),
    UNIQUE (app, provider_issuer, provider_subject),
    CHECK (provider <> 'local' OR (provider_subject IS NULL AND provider_issuer IS NULL)),
    CHECK (provider_issuer IS NULL OR provider_subject IS NOT NULL)
);
INSERT INTO "account" VALUES(1,'vici','e857b872-b981-4a55-b221-6b348bdfb0d9','plain@vici.example',NULL,NULL,'Some One','$2b$10$9GZrDt4Gz5Xmhf8868hsj.LyGNDLtFQbjYNfp1YdApNB2WiwrDJTq','[]',1,'local',NULL,NULL,0,0,0,1795672621748,NULL,NULL,NULL,'{}');
INSERT INTO "account" VALUES(2,'vici','fb9f1416-643e-470f-a723-4843fec39654','careful@vici.example',NULL,NULL,'Some One','$2b$10$bAzzZ7rbRDUcMv6JhcbpveyIb.uTdpcPlP38.nmiOq2YTbXPkwxe2','[]',1,'local',NULL,NULL,0,0,0,1795672621869,NULL,NULL,NULL,'{}');
INSERT INTO "account" VALUES(3,'clarity','5729cfbb-607c-4669-8ec6-0032da936c39','plain@clarity.example',NULL,NULL,'Some One','$2b$10$3YcNgmHVZBQyzI5food6UehxBT8Obc5SW.nHxodxkzMkx0rnBeSWS','[]',1,'local',NULL,NULL,0,0,0,1795672621962,NULL,NULL,NULL,'{}');
INSERT INTO "account" VALUES(4,'clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a','careful@clarity.example',NULL,NULL,'Some One','$2b$10$a9LIuHdVtEIN1nGd/xuYU.d26hdX.DTEh/3Mh.FEAq.n7937T2QB.','[]',1,'local',NULL,NULL,0,0,0,1795672622016,NULL,NULL,NULL,'{}');
CREATE TABLE account_activity (
    app TEXT NOT NULL,
    account_id TEXT NOT NULL,
    last_sign_in_at INTEGER,
    active_on INTEGER NOT NULL,
    PRIMARY KEY (app, account_id),
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "account_activity" VALUES('clarity','5729cfbb-607c-4669-8ec6-0032da936c39',1795672621968,20783);
INSERT INTO "account_activity" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',1795672622019,20783);
INSERT INTO "account_activity" VALUES('vici','e857b872-b981-4a55-b221-6b348bdfb0d9',1795672621760,20783);
INSERT INTO "account_activity" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',1795672621872,20783);
CREATE TABLE account_counter (
    app TEXT PRIMARY KEY NOT NULL,
    last_id INTEGER NOT NULL
);
CREATE TABLE account_event (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    app TEXT NOT NULL,
    type TEXT NOT NULL,
    account_id TEXT,
    session_id TEXT,
    actor TEXT,
    -- JSON objects: see EventSnapshot and EventDetails.
    snapshot TEXT NOT NULL,
    details TEXT NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE TABLE account_name (
    app TEXT NOT NULL,
    name TEXT NOT NULL,
    account_id TEXT NOT NULL,
    PRIMARY KEY (app, name),
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
);
INSERT INTO "account_name" VALUES('vici','plain@vici.example','e857b872-b981-4a55-b221-6b348bdfb0d9');
INSERT INTO "account_name" VALUES('vici','careful@vici.example','fb9f1416-643e-470f-a723-4843fec39654');
INSERT INTO "account_name" VALUES('clarity','plain@clarity.example','5729cfbb-607c-4669-8ec6-0032da936c39');
INSERT INTO "account_name" VALUES('clarity','careful@clarity.example','d0795c4d-5384-4f1b-a41c-471d7b4d655a');
CREATE TABLE account_role (
    app TEXT NOT NULL,
    role TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
    PRIMARY KEY (app, role, number)
) WITHOUT ROWID;
CREATE TABLE active_accounts (
    app TEXT NOT NULL,
    period TEXT NOT NULL,
    starts_on INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (app, period, starts_on, slot)
) WITHOUT ROWID;
INSERT INTO "active_accounts" VALUES('clarity','day',20783,0,2);
INSERT INTO "active_accounts" VALUES('clarity','month',20758,0,2);
INSERT INTO "active_accounts" VALUES('clarity','week',20780,0,2);
INSERT INTO "active_accounts" VALUES('vici','day',20783,0,2);
INSERT INTO "active_accounts" VALUES('vici','month',20758,0,2);
INSERT INTO "active_accounts" VALUES('vici','week',20780,0,2);
CREATE TABLE attempt (
    name TEXT PRIMARY KEY NOT NULL,
    full_at INTEGER NOT NULL
, failures INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
INSERT INTO "attempt" VALUES('+Kj/JgN7tlh1AMoYTvEMjIBv',1795672657897,0,0);
INSERT INTO "attempt" VALUES('/wLneh2CdSCmT8tDBvrBTgG6',1795672627973,0,0);
INSERT INTO "attempt" VALUES('2QI/Cy8Tq+SofayRS7s6rHK5',1795672627771,0,0);
INSERT INTO "attempt" VALUES('5PSfGa7EwjRVkGem47bk+hsN',1795672681919,0,0);
INSERT INTO "attempt" VALUES('7+mQK2ZFuBBV2jqKkgVBCNUw',1795672681973,0,0);
INSERT INTO "attempt" VALUES('D/3YirF1ykxWRBG+A+kPQ0Ya',1795672681602,0,0);
INSERT INTO "attempt" VALUES('IyJCqe8fXa0fKnb1UUrQoAxq',1795672621896,0,0);
INSERT INTO "attempt" VALUES('K3iZWtNIJrZ5C2AuTCJDRNns',1795672681919,0,0);
INSERT INTO "attempt" VALUES('NwuJtm06DHCIGtcKnLdKnOh6',1795672627602,0,0);
INSERT INTO "attempt" VALUES('Q1+4vOQ20iKSjGCS0oG3xMfH',1795672981897,0,0);
INSERT INTO "attempt" VALUES('VUt9M8PkPUsYHTKS9wbwty3B',1795672658048,0,0);
INSERT INTO "attempt" VALUES('butdlWks78dCmkbn8eCzvK+C',1795672681602,0,0);
INSERT INTO "attempt" VALUES('kBHnhY/BpLZF7Y+yMVi8cYwy',1795672622046,0,0);
INSERT INTO "attempt" VALUES('rROANLN9nmzIqWxGsqrKOtq/',1795672982048,0,0);
INSERT INTO "attempt" VALUES('xD8n6otK+c9HvFfTnObjsUVO',1795672627919,0,0);
INSERT INTO "attempt" VALUES('zvGOTvozLD6U1CN/iuOWMa0b',1795672681771,0,0);
CREATE TABLE audit_event (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    happened_at INTEGER NOT NULL,
    app TEXT NOT NULL,
    action TEXT NOT NULL,
    outcome TEXT NOT NULL,
    account_id TEXT,
    session_id TEXT,
    identifier TEXT,
    address TEXT,
    user_agent TEXT
, actor TEXT, method TEXT, factor TEXT, is_new_account BOOLEAN, details TEXT);
INSERT INTO "audit_event" VALUES(1,1795672621762,'vici','register','ok','e857b872-b981-4a55-b221-6b348bdfb0d9','Xj3nchy6h2QPihxB77t6pw','p***@vici.example','127.0.0.1',NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "audit_event" VALUES(2,1795672621876,'vici','register','ok','fb9f1416-643e-470f-a723-4843fec39654','DQQaj7johW29c7t3hwOrPQ','c***@vici.example','127.0.0.1',NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "audit_event" VALUES(3,1795672621887,'vici','beginTOTP','ok','fb9f1416-643e-470f-a723-4843fec39654','DQQaj7johW29c7t3hwOrPQ',NULL,'127.0.0.1',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "audit_event" VALUES(4,1795672621904,'vici','confirmTOTP','ok','fb9f1416-643e-470f-a723-4843fec39654','DQQaj7johW29c7t3hwOrPQ',NULL,'127.0.0.1',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "audit_event" VALUES(5,1795672621969,'clarity','register','ok','5729cfbb-607c-4669-8ec6-0032da936c39','S0vhPkKajr_9f31uAi_K9A','p***@clarity.example','127.0.0.1',NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "audit_event" VALUES(6,1795672622030,'clarity','register','ok','d0795c4d-5384-4f1b-a41c-471d7b4d655a','BFcI11Uzwmegst8JC-DvaA','c***@clarity.example','127.0.0.1',NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "audit_event" VALUES(7,1795672622039,'clarity','beginTOTP','ok','d0795c4d-5384-4f1b-a41c-471d7b4d655a','BFcI11Uzwmegst8JC-DvaA',NULL,'127.0.0.1',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "audit_event" VALUES(8,1795672622051,'clarity','confirmTOTP','ok','d0795c4d-5384-4f1b-a41c-471d7b4d655a','BFcI11Uzwmegst8JC-DvaA',NULL,'127.0.0.1',NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE code (
    app TEXT NOT NULL,
    recipient BLOB NOT NULL,
    id TEXT NOT NULL,
    code_hash BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    tries_left INTEGER NOT NULL CHECK (tries_left >= 0),
    PRIMARY KEY (app, recipient),
    UNIQUE (app, id)
);
CREATE TABLE event_delivery (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    endpoint_id TEXT NOT NULL,
    event INTEGER NOT NULL,
    app TEXT NOT NULL,
    -- The account whose deliveries are in order; null for a delivery in no order with others.
    order_key TEXT,
    state TEXT NOT NULL,
    attempts TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    finished_at INTEGER
);
CREATE TABLE event_endpoint (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    app TEXT NOT NULL,
    url TEXT NOT NULL,
    -- The names of the types, each between spaces; empty for all.
    types TEXT NOT NULL,
    include TEXT NOT NULL,
    description TEXT,
    contact TEXT,
    state TEXT NOT NULL,
    secret BLOB NOT NULL,
    previous_secret BLOB,
    previous_expires_at INTEGER,
    created_at INTEGER NOT NULL,
    last_success_at INTEGER,
    failing_since INTEGER
);
CREATE TABLE factor (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    material BLOB NOT NULL,
    credential_id BLOB,
    counter INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    UNIQUE (app, id),
    UNIQUE (app, credential_id),
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
);
INSERT INTO "factor" VALUES(1,'vici','fb9f1416-643e-470f-a723-4843fec39654','bFd94f6w10e6j1ef99CL_g','totp','Téléphone',X'315ADC2E09BDB649986507EF1137059FF66F3F9A1AFA026F0C6BAB4A9DE6D66A48758759D4FE7F1E13399C26493FB695',NULL,59855753,1795672621897,NULL);
INSERT INTO "factor" VALUES(2,'clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a','-h6b8J47e3YCumBZDMcxdw','totp','Téléphone',X'138EF5DE497B84A99BE33B13EF3D1A6EE608AF071972631D59D11C53AA2885519C8A3D08484D5B0ECFC097368099377B',NULL,59855753,1795672622047,NULL);
CREATE TABLE generation_use (
    session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
    generation INTEGER NOT NULL,
    first_used_at INTEGER NOT NULL,
    PRIMARY KEY (session, generation)
) WITHOUT ROWID;
INSERT INTO "generation_use" VALUES(1,0,1795672621915);
INSERT INTO "generation_use" VALUES(3,0,1795672622058);
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('0001 accounts, sessions, codes, attempts, audit, outbox, keys');
INSERT INTO "grdb_migrations" VALUES('0002 provider issuers, proven emails, tickets, attachments');
INSERT INTO "grdb_migrations" VALUES('0003 actors of audit events');
INSERT INTO "grdb_migrations" VALUES('0004 issued signing keys, withdrawn refresh tokens');
INSERT INTO "grdb_migrations" VALUES('0005 consecutive failures, known networks');
INSERT INTO "grdb_migrations" VALUES('0006 second factors, authentication of sessions');
INSERT INTO "grdb_migrations" VALUES('0007 channels of password resets');
INSERT INTO "grdb_migrations" VALUES('0008 statistics');
INSERT INTO "grdb_migrations" VALUES('0009 search of accounts');
INSERT INTO "grdb_migrations" VALUES('0010 account attributes');
INSERT INTO "grdb_migrations" VALUES('0011 service keys, repeatable requests');
INSERT INTO "grdb_migrations" VALUES('0012 roles, settled messages, details of audit events, actors of sessions');
INSERT INTO "grdb_migrations" VALUES('0013 endpoints, events, deliveries');
CREATE TABLE idempotent_request (
    hash BLOB PRIMARY KEY NOT NULL,
    body_hash BLOB NOT NULL,
    claim TEXT NOT NULL,
    claimed_until INTEGER NOT NULL,
    answer BLOB,
    expires_at INTEGER NOT NULL
);
CREATE TABLE known_network (
    subject BLOB NOT NULL,
    network BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (subject, network)
);
INSERT INTO "known_network" VALUES(X'C89130B0A6EFB1A17648BC76566571BC8BB9',X'01B67AAE0E7A30398E24AB42F04F9FB05174',1803448621756);
INSERT INTO "known_network" VALUES(X'F413B1D52D613AE027C3B7AE06E71C0AB360',X'01B67AAE0E7A30398E24AB42F04F9FB05174',1803448621872);
INSERT INTO "known_network" VALUES(X'6CA0DDF02E9C2041B916956DD96CCD539830',X'DEF278D929CDF2933CEFAC08D06AE882318C',1803448621964);
INSERT INTO "known_network" VALUES(X'961430E0492AF98B2A3E1A820A7527D6F48A',X'DEF278D929CDF2933CEFAC08D06AE882318C',1803448622018);
CREATE TABLE message (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    app TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    sealed BLOB NOT NULL
, last_error TEXT);
CREATE TABLE message_record (
    id TEXT PRIMARY KEY NOT NULL,
    app TEXT NOT NULL,
    channel TEXT,
    kind TEXT,
    recipient TEXT,
    recipient_hash BLOB,
    outcome TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    last_error TEXT,
    created_at INTEGER NOT NULL,
    settled_at INTEGER NOT NULL,
    useful_until INTEGER NOT NULL,
    sealed BLOB
);
INSERT INTO "message_record" VALUES('0e87a87615046c73e495e16e68aa6aaf','vici','email','factors_changed','c***@vici.example',X'838C487148B49D1D5615908125474FC1E7225F75596450B59C04832D73E0322A','sent',1,NULL,1795672621898,1795672621904,1795759021898,NULL);
INSERT INTO "message_record" VALUES('a67193c090973c064b35c9cab084eda3','clarity','email','factors_changed','c***@clarity.example',X'A0881B9CFDFF629684F2B88EA19DF3AABD6177C4BBC2ECFC962D636F1901FC4A','sent',1,NULL,1795672622049,1795672622052,1795759022049,NULL);
CREATE TABLE recovery_code (
    app TEXT NOT NULL,
    account_id TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (app, account_id, hash),
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'297D6179D1164C57DCF30A0F62C67AEF2A1330CFDFE557782C71F47B53947317');
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'501438269F1DA71FA9A4C5C0F145AF246C7D2D3F23DF41A5D6711953648B8592');
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'517413FE056371DFB6D5D9C80E8A0424F725F027C196076CE460E8851879A2F0');
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'5F2BE7DC79AA1247B43D7D0B01C80E35D213E16471A5D9822C8702592474849D');
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'743043E505DC2491ADFD59EC6CDAF131DF734C9F4309475F6AE5044339010054');
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'D358A31E7E191A78A5F0ABE44078EF65C412B8D6B56A8BF441154951D9C0B997');
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'D7B504D4863363B7794CD77BF2BD3F4FFC304445ECBE9065F9C522542D42859D');
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'DBB9302EC4095B709A3D7694C5EC82569031F89848EA5118E1556209679BFF1B');
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'E9E95BC0F3689B0B3570282C87DD8F2A6B48D4D4F0F96315E1DAE02F42AD510A');
INSERT INTO "recovery_code" VALUES('clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',X'F2054B39002035D544E90EBE2ED3CB67A59734D54A5F257EC937AF61BAF56783');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'03A53286B70CE1B9491BA7147DDDE9654153C4068A1ED875A58AA54FAEEAAF6A');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'03AB70B6554707DB3FDA578857159908BF6D694CF43E667498F6D3C91A268425');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'30E104B9D3DEB590B4BBB2D065C52C871FD5BFBE9E880F665F8581F035A3B636');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'326B9BEFA7545EBD2B67F3950BB7833ED6932D7B2C5D98F50496753196E2FD9C');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'4C2D5E55324C59D801F8B092D96B51470B42095CFA3A2BBDAA246281159A95F4');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'50083DE614DA550D5998ACA6C42B9851B2D439FFA2DF0E2063FFCCE3EAACE4FF');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'590995762F99B712217826D1DC3778F5B85C4F5FE89092453A7381998C72C559');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'628A1B9BAC658BFE5D0E9485009B26058CA3F01E698136A6D8767F0664417F71');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'B0382249225434A5F2B0C3001675FAEBD95E95F46163F3DC15E452164BB07848');
INSERT INTO "recovery_code" VALUES('vici','fb9f1416-643e-470f-a723-4843fec39654',X'C849A18563E9D2349B95068581D5D7501FE0C96722A49E74DF348926C9E2B4E8');
CREATE TABLE reset_token (
    app TEXT NOT NULL,
    recipient BLOB NOT NULL,
    hash BLOB NOT NULL,
    account_id TEXT,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (app, recipient),
    UNIQUE (app, hash),
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
);
CREATE TABLE role (
    app TEXT NOT NULL,
    name TEXT NOT NULL,
    permissions TEXT NOT NULL,
    PRIMARY KEY (app, name)
) WITHOUT ROWID;
CREATE TABLE service_key (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- A keyed hash of the secret.
    hash BLOB NOT NULL,
    -- Lists, separated by spaces.
    scopes TEXT NOT NULL,
    apps TEXT NOT NULL,
    networks TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
);
CREATE TABLE session (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    app TEXT NOT NULL,
    account_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    idle_seconds INTEGER NOT NULL,
    idle_ends_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    generation_issued_at INTEGER NOT NULL,
    -- Of the current generation; those before are in generation_use.
    first_used_at INTEGER,
    device_id TEXT,
    platform TEXT,
    os_version TEXT,
    app_version TEXT,
    address TEXT,
    user_agent TEXT,
    revoked_at INTEGER,
    revoke_reason TEXT, signing_key_issued_at INTEGER, oldest_generation INTEGER NOT NULL DEFAULT 0, authentication TEXT NOT NULL DEFAULT '', actor TEXT,
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE,
    CHECK (idle_ends_at <= ends_at),
    CHECK (generation >= 0),
    CHECK ((revoked_at IS NULL) = (revoke_reason IS NULL))
);
INSERT INTO "session" VALUES(1,'Xj3nchy6h2QPihxB77t6pw','vici','e857b872-b981-4a55-b221-6b348bdfb0d9',1795672621760,1795672621915,315273600,1827208621760,1827208621760,1,1795672621915,NULL,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL,0,'password:1795672621748',NULL);
INSERT INTO "session" VALUES(2,'DQQaj7johW29c7t3hwOrPQ','vici','fb9f1416-643e-470f-a723-4843fec39654',1795672621872,1795672621872,315273600,1827208621872,1827208621872,0,1795672621872,1795672621883,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL,0,'password:1795672621869 totp:1795672621897',NULL);
INSERT INTO "session" VALUES(3,'S0vhPkKajr_9f31uAi_K9A','clarity','5729cfbb-607c-4669-8ec6-0032da936c39',1795672621968,1795672622058,315273600,1827208621968,1827208621968,1,1795672622058,NULL,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL,0,'password:1795672621962',NULL);
INSERT INTO "session" VALUES(4,'BFcI11Uzwmegst8JC-DvaA','clarity','d0795c4d-5384-4f1b-a41c-471d7b4d655a',1795672622019,1795672622019,315273600,1827208622019,1827208622019,0,1795672622019,1795672622034,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL,0,'password:1795672622016 totp:1795672622047',NULL);
CREATE TABLE session_attachment (
    session INTEGER PRIMARY KEY NOT NULL REFERENCES session (number) ON DELETE CASCADE,
    bytes BLOB NOT NULL,
    version INTEGER NOT NULL
);
CREATE TABLE signing_key (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    kid TEXT NOT NULL,
    algorithm TEXT NOT NULL,
    sealed_private_key BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    retires_at INTEGER,
    UNIQUE (app, kid)
);
INSERT INTO "signing_key" VALUES(1,'idp','sbmmd5JFVERN7kIeK0tVSzvXzPgFiROJQHDv-u_QL_0','ES256',X'844777CAF157850E1F4C042DBC7BB0DF68E28B99F4F3C2FC349FB915137C86C5A34AEABC181B6A98396AB8FE0E19504F53AA9D26827598B9C38604BB',1795672621513,NULL);
INSERT INTO "signing_key" VALUES(2,'clarity','p_cu-2mEe5R_0UttRONttQOUn3rpTPAn7B3f3RbPii8','ES256',X'1EC2C41FC863BB742917E7C875088A2253057588F9701303A9213E3A531FDBF52954F1DC5D80A52C23923241FB0227A2105120AEBD45DB708A0451CB',1795672621520,NULL);
CREATE TABLE statistic (
    app TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    series TEXT NOT NULL,
    operation TEXT NOT NULL,
    method TEXT NOT NULL,
    factor TEXT NOT NULL,
    outcome TEXT NOT NULL,
    slot INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (app, starts_at, series, operation, method, factor, outcome, slot)
) WITHOUT ROWID;
INSERT INTO "statistic" VALUES('clarity',1795669200000,'message','','email','','sent',0,1);
INSERT INTO "statistic" VALUES('vici',1795669200000,'message','','email','','sent',0,1);
CREATE TABLE statistics_position (
    source TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE ticket (
    app TEXT NOT NULL,
    kind TEXT NOT NULL,
    hash BLOB NOT NULL,
    payload BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at INTEGER,
    session_id TEXT,
    PRIMARY KEY (app, kind, hash),
    CHECK (session_id IS NULL OR spent_at IS NOT NULL)
);
INSERT INTO "ticket" VALUES('vici','pending_factor',X'9ED0329ADA8FD17EC83725CC96FC6E9B86FE1CC161E222E29DD7C2A4ED259E65',X'315ADC2E09BDB649986507EF1137059FF66F3F9A1AFA026F0C6BAB4A9DE6D66A48758759D4FE7F1E13399C26493FB695',1795673221885,1795672621898,NULL);
INSERT INTO "ticket" VALUES('clarity','pending_factor',X'2CCA269E9FADED76D3DDD3D458A88044B21BA14E433B3A2FE97D2BD59A04770C',X'138EF5DE497B84A99BE33B13EF3D1A6EE608AF071972631D59D11C53AA2885519C8A3D08484D5B0ECFC097368099377B',1795673222036,1795672622049,NULL);
CREATE INDEX account_name_account ON account_name (app, account_id);
CREATE INDEX session_account ON session (app, account_id);
CREATE INDEX reset_token_account ON reset_token (app, account_id);
CREATE INDEX audit_event_time ON audit_event (happened_at);
CREATE INDEX message_order ON message (created_at, number);
CREATE UNIQUE INDEX account_imported_subject ON account (app, provider, provider_subject)
WHERE provider_issuer IS NULL;
CREATE INDEX account_hash_cost ON account (app, substr(password_hash, 5, 2)) WHERE password_hash IS NOT NULL;
CREATE TRIGGER account_revision AFTER UPDATE ON account WHEN new.revision <= old.revision
BEGIN SELECT RAISE(ABORT, 'an account changed and its revision did not'); END;
CREATE INDEX factor_account ON factor (app, account_id);
CREATE INDEX statistic_start ON statistic (starts_at);
CREATE INDEX active_accounts_start ON active_accounts (starts_on);
CREATE INDEX account_email_prefix ON account (app, lower(email), number) WHERE email IS NOT NULL;
CREATE INDEX account_username_prefix ON account (app, lower(username), number) WHERE username IS NOT NULL;
CREATE INDEX account_full_name_prefix ON account (app, lower(full_name), number) WHERE full_name IS NOT NULL;
CREATE INDEX account_provider ON account (app, provider, created_at, number);
CREATE INDEX account_created ON account (app, created_at, number);
CREATE INDEX account_disabled ON account (app, created_at, number) WHERE NOT is_active;
CREATE INDEX factor_totp ON factor (app, account_id) WHERE kind = 'totp';
CREATE INDEX factor_passkey ON factor (app, account_id) WHERE kind = 'passkey';
CREATE INDEX account_role_account ON account_role (number);
CREATE TRIGGER account_role_added AFTER INSERT ON account WHEN new.roles <> '[]'
BEGIN
    INSERT INTO account_role
    SELECT DISTINCT new.app, r.value, new.number FROM json_each(new.roles) r WHERE instr(r.value, '@') = 0;
END;
CREATE TRIGGER account_role_changed AFTER UPDATE OF roles ON account WHEN new.roles <> old.roles
BEGIN
    DELETE FROM account_role WHERE number = old.number;
    INSERT INTO account_role
    SELECT DISTINCT new.app, r.value, new.number FROM json_each(new.roles) r WHERE instr(r.value, '@') = 0;
END;
CREATE INDEX idempotent_request_expiry ON idempotent_request (expires_at);
CREATE INDEX message_record_app ON message_record (app, created_at, id);
CREATE INDEX message_record_failed ON message_record (app, created_at, id) WHERE outcome = 'failed';
CREATE INDEX message_record_recipient ON message_record (app, recipient_hash, created_at, id);
CREATE INDEX message_record_time ON message_record (created_at);
CREATE INDEX message_record_sealed ON message_record (useful_until) WHERE sealed IS NOT NULL;
CREATE INDEX audit_event_app ON audit_event (app, happened_at);
CREATE INDEX audit_event_account ON audit_event (app, account_id, happened_at) WHERE account_id IS NOT NULL;
CREATE INDEX audit_event_action ON audit_event (app, action, happened_at);
CREATE INDEX audit_event_refusal ON audit_event (app, outcome, happened_at) WHERE outcome <> 'ok';
CREATE INDEX session_actor ON session (actor) WHERE actor IS NOT NULL;
CREATE INDEX event_endpoint_app ON event_endpoint (app, state);
CREATE INDEX account_event_refusal ON account_event (app, account_id, created_at)
WHERE type = 'sign_in.refused';
CREATE INDEX event_delivery_due ON event_delivery (due_at, number) WHERE state = 'pending';
CREATE INDEX event_delivery_order ON event_delivery (endpoint_id, order_key, number) WHERE state = 'pending';
CREATE INDEX event_delivery_endpoint ON event_delivery (endpoint_id, number);
CREATE INDEX event_delivery_event ON event_delivery (event);
CREATE INDEX event_delivery_failed ON event_delivery (number) WHERE state = 'failed';
CREATE INDEX event_delivery_end ON event_delivery (finished_at) WHERE finished_at IS NOT NULL;
CREATE TRIGGER event_account_created AFTER INSERT ON account
WHEN (TRUE) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' account.created ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'account.created', NEW.id,
        NULL, NULL, json_object('email', NEW.email, 'email_verified', json(CASE WHEN NEW.is_email_verified THEN 'true' ELSE 'false' END), 'username', NEW.username, 'phone_number', NEW.phone_number, 'phone_number_verified', json(CASE NEW.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', NEW.full_name, 'attributes', json(NEW.attributes), 'roles', json(NEW.roles)), json_object('provider', NEW.provider), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ;
END;
CREATE TRIGGER event_account_updated AFTER UPDATE OF email, is_email_verified, username, phone_number, is_phone_number_verified, full_name, attributes, roles ON account
WHEN (NEW.email IS NOT OLD.email OR NEW.is_email_verified IS NOT OLD.is_email_verified OR NEW.username IS NOT OLD.username OR NEW.phone_number IS NOT OLD.phone_number OR NEW.is_phone_number_verified IS NOT OLD.is_phone_number_verified OR NEW.full_name IS NOT OLD.full_name OR NEW.attributes IS NOT OLD.attributes OR NEW.roles IS NOT OLD.roles) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' account.updated ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'account.updated', NEW.id,
        NULL, NULL, json_object('email', NEW.email, 'email_verified', json(CASE WHEN NEW.is_email_verified THEN 'true' ELSE 'false' END), 'username', NEW.username, 'phone_number', NEW.phone_number, 'phone_number_verified', json(CASE NEW.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', NEW.full_name, 'attributes', json(NEW.attributes), 'roles', json(NEW.roles)), json_object('changed', (SELECT json_group_array(field) FROM (SELECT 'email' AS field WHERE NEW.email IS NOT OLD.email UNION ALL SELECT 'email_verified' AS field WHERE NEW.is_email_verified IS NOT OLD.is_email_verified UNION ALL SELECT 'username' AS field WHERE NEW.username IS NOT OLD.username UNION ALL SELECT 'phone_number' AS field WHERE NEW.phone_number IS NOT OLD.phone_number UNION ALL SELECT 'phone_number_verified' AS field WHERE NEW.is_phone_number_verified IS NOT OLD.is_phone_number_verified UNION ALL SELECT 'full_name' AS field WHERE NEW.full_name IS NOT OLD.full_name UNION ALL SELECT 'attributes' AS field WHERE NEW.attributes IS NOT OLD.attributes UNION ALL SELECT 'roles' AS field WHERE NEW.roles IS NOT OLD.roles))), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ;
END;
CREATE TRIGGER event_account_disabled AFTER UPDATE OF is_active ON account
WHEN (OLD.is_active AND NOT NEW.is_active) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' account.disabled ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'account.disabled', NEW.id,
        NULL, NULL, json_object('email', NEW.email, 'email_verified', json(CASE WHEN NEW.is_email_verified THEN 'true' ELSE 'false' END), 'username', NEW.username, 'phone_number', NEW.phone_number, 'phone_number_verified', json(CASE NEW.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', NEW.full_name, 'attributes', json(NEW.attributes), 'roles', json(NEW.roles)), '{}', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ;
END;
CREATE TRIGGER event_account_enabled AFTER UPDATE OF is_active ON account
WHEN (NEW.is_active AND NOT OLD.is_active) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' account.enabled ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'account.enabled', NEW.id,
        NULL, NULL, json_object('email', NEW.email, 'email_verified', json(CASE WHEN NEW.is_email_verified THEN 'true' ELSE 'false' END), 'username', NEW.username, 'phone_number', NEW.phone_number, 'phone_number_verified', json(CASE NEW.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', NEW.full_name, 'attributes', json(NEW.attributes), 'roles', json(NEW.roles)), '{}', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ;
END;
CREATE TRIGGER event_account_deleted AFTER DELETE ON account
WHEN (TRUE) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = OLD.app AND state = 'enabled' AND (types = '' OR instr(types, ' account.deleted ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), OLD.app, 'account.deleted', OLD.id,
        NULL, NULL, json_object('email', OLD.email, 'email_verified', json(CASE WHEN OLD.is_email_verified THEN 'true' ELSE 'false' END), 'username', OLD.username, 'phone_number', OLD.phone_number, 'phone_number_verified', json(CASE OLD.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', OLD.full_name, 'attributes', json(OLD.attributes), 'roles', json(OLD.roles)), '{}', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ;
END;
CREATE TRIGGER event_password_changed AFTER UPDATE OF password_hash ON account
WHEN (NEW.password_hash IS NOT OLD.password_hash AND NEW.credential_version <> OLD.credential_version) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' password.changed ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'password.changed', NEW.id,
        NULL, NULL, json_object('email', NEW.email, 'email_verified', json(CASE WHEN NEW.is_email_verified THEN 'true' ELSE 'false' END), 'username', NEW.username, 'phone_number', NEW.phone_number, 'phone_number_verified', json(CASE NEW.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', NEW.full_name, 'attributes', json(NEW.attributes), 'roles', json(NEW.roles)), '{}', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ;
END;
CREATE TRIGGER event_identity_unlinked AFTER UPDATE OF provider_subject ON account
WHEN (OLD.provider_subject IS NOT NULL AND NEW.provider_subject IS NOT OLD.provider_subject) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' identity.unlinked ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'identity.unlinked', NEW.id,
        NULL, NULL, json_object('email', NEW.email, 'email_verified', json(CASE WHEN NEW.is_email_verified THEN 'true' ELSE 'false' END), 'username', NEW.username, 'phone_number', NEW.phone_number, 'phone_number_verified', json(CASE NEW.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', NEW.full_name, 'attributes', json(NEW.attributes), 'roles', json(NEW.roles)), json_object('provider', OLD.provider), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ;
END;
CREATE TRIGGER event_identity_linked AFTER UPDATE OF provider_subject ON account
WHEN (NEW.provider_subject IS NOT NULL AND NEW.provider_subject IS NOT OLD.provider_subject) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' identity.linked ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'identity.linked', NEW.id,
        NULL, NULL, json_object('email', NEW.email, 'email_verified', json(CASE WHEN NEW.is_email_verified THEN 'true' ELSE 'false' END), 'username', NEW.username, 'phone_number', NEW.phone_number, 'phone_number_verified', json(CASE NEW.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', NEW.full_name, 'attributes', json(NEW.attributes), 'roles', json(NEW.roles)), json_object('provider', NEW.provider), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) ;
END;
CREATE TRIGGER event_session_created AFTER INSERT ON session
WHEN (TRUE) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' session.created ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'session.created', NEW.account_id,
        NEW.id, NULL, json_object('email', a.email, 'email_verified', json(CASE WHEN a.is_email_verified THEN 'true' ELSE 'false' END), 'username', a.username, 'phone_number', a.phone_number, 'phone_number_verified', json(CASE a.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', a.full_name, 'attributes', json(a.attributes), 'roles', json(a.roles)), '{}', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) FROM account a WHERE a.app = NEW.app AND a.id = NEW.account_id;
END;
CREATE TRIGGER event_session_revoked AFTER UPDATE OF revoked_at ON session
WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL AND NEW.idle_ends_at > NEW.revoked_at) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' session.revoked ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'session.revoked', NEW.account_id,
        NEW.id, NULL, json_object('email', a.email, 'email_verified', json(CASE WHEN a.is_email_verified THEN 'true' ELSE 'false' END), 'username', a.username, 'phone_number', a.phone_number, 'phone_number_verified', json(CASE a.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', a.full_name, 'attributes', json(a.attributes), 'roles', json(a.roles)), json_object('reason', NEW.revoke_reason), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) FROM account a WHERE a.app = NEW.app AND a.id = NEW.account_id;
END;
CREATE TRIGGER event_factor_added AFTER INSERT ON factor
WHEN (TRUE) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' factor.added ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'factor.added', NEW.account_id,
        NULL, NULL, json_object('email', a.email, 'email_verified', json(CASE WHEN a.is_email_verified THEN 'true' ELSE 'false' END), 'username', a.username, 'phone_number', a.phone_number, 'phone_number_verified', json(CASE a.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', a.full_name, 'attributes', json(a.attributes), 'roles', json(a.roles)), json_object('factor', json_object('id', NEW.id, 'type', NEW.kind)), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) FROM account a WHERE a.app = NEW.app AND a.id = NEW.account_id;
END;
CREATE TRIGGER event_factor_removed AFTER DELETE ON factor
WHEN (TRUE) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = OLD.app AND state = 'enabled' AND (types = '' OR instr(types, ' factor.removed ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), OLD.app, 'factor.removed', OLD.account_id,
        NULL, NULL, json_object('email', a.email, 'email_verified', json(CASE WHEN a.is_email_verified THEN 'true' ELSE 'false' END), 'username', a.username, 'phone_number', a.phone_number, 'phone_number_verified', json(CASE a.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', a.full_name, 'attributes', json(a.attributes), 'roles', json(a.roles)), json_object('factor', json_object('id', OLD.id, 'type', OLD.kind)), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) FROM account a WHERE a.app = OLD.app AND a.id = OLD.account_id;
END;
CREATE TRIGGER event_password_reset_requested AFTER INSERT ON reset_token
WHEN (TRUE) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' password.reset_requested ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'password.reset_requested', NEW.account_id,
        NULL, NULL, json_object('email', a.email, 'email_verified', json(CASE WHEN a.is_email_verified THEN 'true' ELSE 'false' END), 'username', a.username, 'phone_number', a.phone_number, 'phone_number_verified', json(CASE a.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', a.full_name, 'attributes', json(a.attributes), 'roles', json(a.roles)), '{}', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) FROM account a WHERE a.app = NEW.app AND a.id = NEW.account_id;
END;
CREATE TRIGGER event_password_reset_requested_again AFTER UPDATE OF hash ON reset_token
WHEN (NEW.hash IS NOT OLD.hash) AND EXISTS (
    SELECT 1 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled' AND (types = '' OR instr(types, ' password.reset_requested ') > 0))
BEGIN
    INSERT INTO account_event (
        id, app, type, account_id, session_id, actor, snapshot, details, created_at)
    SELECT lower(hex(randomblob(16))), NEW.app, 'password.reset_requested', NEW.account_id,
        NULL, NULL, json_object('email', a.email, 'email_verified', json(CASE WHEN a.is_email_verified THEN 'true' ELSE 'false' END), 'username', a.username, 'phone_number', a.phone_number, 'phone_number_verified', json(CASE a.is_phone_number_verified WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END), 'full_name', a.full_name, 'attributes', json(a.attributes), 'roles', json(a.roles)), '{}', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) FROM account a WHERE a.app = NEW.app AND a.id = NEW.account_id;
END;
CREATE TRIGGER event_queued AFTER INSERT ON account_event WHEN NEW.type <> 'endpoint.test'
BEGIN
    INSERT INTO event_delivery (endpoint_id, event, app, order_key, state, attempts, created_at, due_at)
    SELECT id, NEW.number, app, NEW.account_id, 'pending', '[]', NEW.created_at, 0 FROM event_endpoint
    WHERE app = NEW.app AND state = 'enabled'
        AND (types = '' OR instr(types, ' ' || NEW.type || ' ') > 0);
END;
CREATE TRIGGER event_forgotten AFTER DELETE ON event_delivery
WHEN NOT EXISTS (SELECT 1 FROM event_delivery WHERE event = OLD.event)
BEGIN DELETE FROM account_event WHERE number = OLD.event; END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('account',4);
INSERT INTO "sqlite_sequence" VALUES('signing_key',2);
INSERT INTO "sqlite_sequence" VALUES('event_delivery',0);
INSERT INTO "sqlite_sequence" VALUES('account_event',0);
INSERT INTO "sqlite_sequence" VALUES('session',4);
INSERT INTO "sqlite_sequence" VALUES('audit_event',8);
INSERT INTO "sqlite_sequence" VALUES('factor',2);
INSERT INTO "sqlite_sequence" VALUES('message',2);
COMMIT;
