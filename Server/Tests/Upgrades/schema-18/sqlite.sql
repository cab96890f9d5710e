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
INSERT INTO "account" VALUES(1,'vici','b2b3f682-0bb5-441d-80a6-1e7c803a2dae','plain@vici.example',NULL,NULL,'Some One','$2b$10$fkjcE1kBVvTF.n38SuKzSOYPFuM.9xe6Qq4qTKfe26TYgi12caNtq','[]',1,'local',NULL,NULL,0,0,0,1795672625608,NULL,NULL,NULL,'{}');
INSERT INTO "account" VALUES(2,'vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00','careful@vici.example',NULL,NULL,'Some One','$2b$10$A7HPpLl2Hu4EdKG0jLGD2uYk4Vf14Uqa/jIhDBQsip/eRw4N0vgtK','[]',1,'local',NULL,NULL,0,0,0,1795672625710,NULL,NULL,NULL,'{}');
INSERT INTO "account" VALUES(3,'clarity','27be7a62-7127-4319-8544-050d9e3f543c','plain@clarity.example',NULL,NULL,'Some One','$2b$10$o5MuSYf/QM6keTK1zheRkOR1ADmK.l962CqCng3jbvMe34f2Q4Efu','[]',1,'local',NULL,NULL,0,0,0,1795672625878,NULL,NULL,NULL,'{}');
INSERT INTO "account" VALUES(4,'clarity','69012536-3814-4232-ae6a-027a54e22e36','careful@clarity.example',NULL,NULL,'Some One','$2b$10$ddAurvsQKcwglD90fvnAqOrphrYvS.KzJowfX6b9dijrf.7wavEaG','[]',1,'local',NULL,NULL,0,0,0,1795672625954,NULL,NULL,NULL,'{}');
CREATE TABLE account_activity (
    app TEXT NOT NULL,
    account_id TEXT NOT NULL,
    last_sign_in_at INTEGER,
    active_on INTEGER NOT NULL,
    PRIMARY KEY (app, account_id),
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "account_activity" VALUES('clarity','27be7a62-7127-4319-8544-050d9e3f543c',1795672625885,20783);
INSERT INTO "account_activity" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',1795672625964,20783);
INSERT INTO "account_activity" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',1795672625724,20783);
INSERT INTO "account_activity" VALUES('vici','b2b3f682-0bb5-441d-80a6-1e7c803a2dae',1795672625617,20783);
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
INSERT INTO "account_name" VALUES('vici','plain@vici.example','b2b3f682-0bb5-441d-80a6-1e7c803a2dae');
INSERT INTO "account_name" VALUES('vici','careful@vici.example','1db354b9-ba7b-47ec-a1e6-747b93b4ad00');
INSERT INTO "account_name" VALUES('clarity','plain@clarity.example','27be7a62-7127-4319-8544-050d9e3f543c');
INSERT INTO "account_name" VALUES('clarity','careful@clarity.example','69012536-3814-4232-ae6a-027a54e22e36');
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
CREATE TABLE app_key (
    app TEXT NOT NULL,
    id BLOB NOT NULL,
    public_key BLOB NOT NULL,
    app_id TEXT NOT NULL,
    counter INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    kept_until INTEGER NOT NULL,
    PRIMARY KEY (app, id)
);
CREATE TABLE attempt (
    name TEXT PRIMARY KEY NOT NULL,
    full_at INTEGER NOT NULL
, failures INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
INSERT INTO "attempt" VALUES('/wLneh2CdSCmT8tDBvrBTgG6',1795672631892,0,0);
INSERT INTO "attempt" VALUES('2QI/Cy8Tq+SofayRS7s6rHK5',1795672631628,0,0);
INSERT INTO "attempt" VALUES('5ERRUz3waGPOvx1O3avXXCE+',1795674353531,0,0);
INSERT INTO "attempt" VALUES('5PSfGa7EwjRVkGem47bk+hsN',1795672685780,0,0);
INSERT INTO "attempt" VALUES('5ip1IqiiVUSspISpGN8T5rZK',1795672661749,0,0);
INSERT INTO "attempt" VALUES('7+mQK2ZFuBBV2jqKkgVBCNUw',1795672685892,0,0);
INSERT INTO "attempt" VALUES('B57AIenLKDdvvcTYlZp+NIOG',1795676945752,0,0);
INSERT INTO "attempt" VALUES('D/3YirF1ykxWRBG+A+kPQ0Ya',1795672685518,0,0);
INSERT INTO "attempt" VALUES('GwqsefXlpdL2Mwd+vOn6Cnwv',1795672661984,0,0);
INSERT INTO "attempt" VALUES('Hu0risOXdHive1SOpfriFEuu',1795672985749,0,0);
INSERT INTO "attempt" VALUES('IyJCqe8fXa0fKnb1UUrQoAxq',1795672625744,0,0);
INSERT INTO "attempt" VALUES('K3iZWtNIJrZ5C2AuTCJDRNns',1795672685780,0,0);
INSERT INTO "attempt" VALUES('M5+87y+oBcNb4MeCnP05wQZa',1795676945985,0,0);
INSERT INTO "attempt" VALUES('NwuJtm06DHCIGtcKnLdKnOh6',1795672631518,0,0);
INSERT INTO "attempt" VALUES('butdlWks78dCmkbn8eCzvK+C',1795672685518,0,0);
INSERT INTO "attempt" VALUES('dxrTs5ZlB1DIER1ZlEkuAKhb',1795672985984,0,0);
INSERT INTO "attempt" VALUES('kBHnhY/BpLZF7Y+yMVi8cYwy',1795672625981,0,0);
INSERT INTO "attempt" VALUES('q4XCup3Cs2t/b2ZTsqbfBkRS',1795672632731,0,0);
INSERT INTO "attempt" VALUES('xD8n6otK+c9HvFfTnObjsUVO',1795672631780,0,0);
INSERT INTO "attempt" VALUES('zvGOTvozLD6U1CN/iuOWMa0b',1795672685628,0,0);
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
INSERT INTO "audit_event" VALUES(1,1795672625620,'vici','register','ok','b2b3f682-0bb5-441d-80a6-1e7c803a2dae','JJ-xBuKEJmPIz7GszF7irA','p***@vici.example','127.0.0.1',NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "audit_event" VALUES(2,1795672625727,'vici','register','ok','1db354b9-ba7b-47ec-a1e6-747b93b4ad00','Y9vVg5DTNLKvwUrbRXQPLA','c***@vici.example','127.0.0.1',NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "audit_event" VALUES(3,1795672625739,'vici','beginTOTP','ok','1db354b9-ba7b-47ec-a1e6-747b93b4ad00','Y9vVg5DTNLKvwUrbRXQPLA',NULL,'127.0.0.1',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "audit_event" VALUES(4,1795672625767,'vici','confirmTOTP','ok','1db354b9-ba7b-47ec-a1e6-747b93b4ad00','Y9vVg5DTNLKvwUrbRXQPLA',NULL,'127.0.0.1',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "audit_event" VALUES(5,1795672625888,'clarity','register','ok','27be7a62-7127-4319-8544-050d9e3f543c','ftQr5wHLb_kfvQ33Nc2DIQ','p***@clarity.example','127.0.0.1',NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "audit_event" VALUES(6,1795672625967,'clarity','register','ok','69012536-3814-4232-ae6a-027a54e22e36','Fnbi9BoiHn6we6wl70GsLQ','c***@clarity.example','127.0.0.1',NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "audit_event" VALUES(7,1795672625976,'clarity','beginTOTP','ok','69012536-3814-4232-ae6a-027a54e22e36','Fnbi9BoiHn6we6wl70GsLQ',NULL,'127.0.0.1',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "audit_event" VALUES(8,1795672625993,'clarity','confirmTOTP','ok','69012536-3814-4232-ae6a-027a54e22e36','Fnbi9BoiHn6we6wl70GsLQ',NULL,'127.0.0.1',NULL,NULL,NULL,NULL,NULL,NULL);
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
CREATE TABLE device (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    -- A keyed hash of the present secret.
    hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    presentations INTEGER NOT NULL,
    device_id TEXT,
    platform TEXT,
    os_version TEXT,
    app_version TEXT,
    address TEXT,
    user_agent TEXT,
    -- The permission to sign in without a second factor, and a keyed hash of the credentials it was given for.
    remembered_until INTEGER,
    remembered_for BLOB,
    UNIQUE (app, id),
    UNIQUE (app, hash),
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE,
    CHECK ((remembered_until IS NULL) = (remembered_for IS NULL))
);
INSERT INTO "device" VALUES(1,'vici','b2b3f682-0bb5-441d-80a6-1e7c803a2dae','SXRyQfC-wbafYiEpCmN3Dg',X'7F77A4B3DF9C91EE5823D2D788F1FAA05600FD6C6938C2D5AEB27FEBF65A9EDF',1795672625619,1795672625619,1811224625619,0,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL);
INSERT INTO "device" VALUES(2,'vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00','bomSeKfQMBvgMhRJrLTUNg',X'CD767DB4D02941D65CA995627BBE1B499070888BEF0B5816AF38640166FC4838',1795672625725,1795672625725,1811224625725,0,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL);
INSERT INTO "device" VALUES(3,'clarity','27be7a62-7127-4319-8544-050d9e3f543c','Pnap0U_Dn9kRniFojcOUJQ',X'1CCAF4D1A1684267DCC8E8F982BABC6BD07DDBF61F07323F51415236DAF3323B',1795672625888,1795672625888,1811224625888,0,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL);
INSERT INTO "device" VALUES(4,'clarity','69012536-3814-4232-ae6a-027a54e22e36','DOoqI43Mf42APU4NZHjDnQ',X'0E8C9F400995EB166EF5AF1C7E762B8FCDFFE8C0CD8851690828E7059F01F6E5',1795672625965,1795672625965,1811224625965,0,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL);
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
INSERT INTO "factor" VALUES(1,'vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00','zjo1Xml1EKHxuAL5J6A0Qg','totp','Téléphone',X'3A98B173C4AE52DC03C90511A5DFF4CC1B5F70524DAD013D35B6128ED6F5BE79028F270D994C67FA36649502E6AF60E3',NULL,59855753,1795672625748,NULL);
INSERT INTO "factor" VALUES(2,'clarity','69012536-3814-4232-ae6a-027a54e22e36','wcLf-xRbId-JGYEtT3hnQQ','totp','Téléphone',X'4057AB219BEA439C4B0EE2960B080AF384E6DED554A0BDDE7AF632F087B0084E82498BAC0C0D1A5AD6D38A1B4AF5DF86',NULL,59855753,1795672625984,NULL);
CREATE TABLE generation_use (
    session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
    generation INTEGER NOT NULL,
    first_used_at INTEGER NOT NULL,
    PRIMARY KEY (session, generation)
) WITHOUT ROWID;
INSERT INTO "generation_use" VALUES(1,0,1795672625774);
INSERT INTO "generation_use" VALUES(3,0,1795672625995);
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
INSERT INTO "grdb_migrations" VALUES('0014 recognized devices');
INSERT INTO "grdb_migrations" VALUES('0015 keys of sessions');
INSERT INTO "grdb_migrations" VALUES('0016 attested keys');
INSERT INTO "grdb_migrations" VALUES('0017 history of sign-ins');
INSERT INTO "grdb_migrations" VALUES('0018 keys of the store');
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
INSERT INTO "known_network" VALUES(X'FD291F7A247067035FD8F0D61F7F657A3489',X'01B67AAE0E7A30398E24AB42F04F9FB05174',1798264625616);
INSERT INTO "known_network" VALUES(X'BA33DDC152BCF5FA971399C2223DABE6B178',X'01B67AAE0E7A30398E24AB42F04F9FB05174',1798264625716);
INSERT INTO "known_network" VALUES(X'29D186ECF28850271E099061F19E3E0D49B7',X'DEF278D929CDF2933CEFAC08D06AE882318C',1798264625884);
INSERT INTO "known_network" VALUES(X'3AD3CA0617492685BD71B0A19A12A768A87C',X'DEF278D929CDF2933CEFAC08D06AE882318C',1798264625960);
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
INSERT INTO "message_record" VALUES('6867a96cc5f49f07e6d75a6d10bd5b58','vici','email','factors_changed','c***@vici.example',X'838C487148B49D1D5615908125474FC1E7225F75596450B59C04832D73E0322A','sent',1,NULL,1795672625756,1795672625764,1795759025756,NULL);
INSERT INTO "message_record" VALUES('f6ef0b59bbaffd09e7722136a6c19d0c','clarity','email','factors_changed','c***@clarity.example',X'A0881B9CFDFF629684F2B88EA19DF3AABD6177C4BBC2ECFC962D636F1901FC4A','sent',1,NULL,1795672625986,1795672625992,1795759025986,NULL);
CREATE TABLE recovery_code (
    app TEXT NOT NULL,
    account_id TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (app, account_id, hash),
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'0FFE2D28CEFC28AC73D70712065D7DA5DD5C0095EDFB0031C7077AA8D750F91C');
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'390204F452345CD5ADF0B7209BF0BBE2BF1B783D549776CC5F74A27457CCD23D');
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'3AB24792C1E5134BB7FBF3BD8AFED1872EB435E23E8A12D0C009DDBF86DBBA4C');
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'3CA00A572D53C9DC48F887999392CB2CCE56BD78FC2E2E2F42790DD0C599BEC8');
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'5BE91814625D955C357242312A51F802CFAF8C891F1BE9A6251224D65131992E');
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'B1260685B24B2ACC6397C023B3EB15A739E47F13C1CAACEBAD03ED629A6BC0DB');
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'E230A1B076CE67C28846BFEBE0E77E1DA245E852DFDE59024131D6ABD7860A3A');
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'E694F93151E9FC7B04BAF5C33CBFB8AB0719AAE4F471DC248689284FFC0CB532');
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'F7CA9CAB43FA33CA02EBD2F6DA18A5D42993199DF3F21A8D0FDA59A218E8D537');
INSERT INTO "recovery_code" VALUES('clarity','69012536-3814-4232-ae6a-027a54e22e36',X'F8EEFD1F429D7B92EE0A01A7FC80E8C64DD5A9B56F24DBF5A6B9EC773AE8CDC5');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'0B55578C228CC0466606A1EF8D29012D4C4320CAAB8604B03A21AB6F30F35185');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'238085204CDE09044A6913E50256A20CBE3A9D66D47F8886FB0B1CA2AC1CCC8E');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'2489CD41EF82995DB9C07E23E7D2CD3707355998F45DDD4D922EE718421F131C');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'25AE839D91D0492B0FE73B9496D9917AED270BC67059B284D4E98AD08B23D6B4');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'347000D8D2B79297FA85C243450737C0D7BBDDDA932BD1A5ADB3E0E93EAB9894');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'BB2FC2B36462954D0CC2BD1A11D827A401FF0934189A05A1590A02C7F3DF1522');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'BCCC701BB2623C5CCF1AB5751BACCE5FC40A0A03F8B1F107A4891CD0182ABDBD');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'D3E688531185654C8C10353F43DEC905942C2C5B737C5FA3D727BDDFC8FA11D5');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'ECCD27BD5C3E9E946366237C5BA2B85EAD05530F9C0769DAC611E61FCB7165AB');
INSERT INTO "recovery_code" VALUES('vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',X'F2D1AC6E447F6E2E7D3A99C7C464083624BEE5C164A6E6E105B0427968957596');
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
    revoke_reason TEXT, signing_key_issued_at INTEGER, oldest_generation INTEGER NOT NULL DEFAULT 0, authentication TEXT NOT NULL DEFAULT '', actor TEXT, bound_key TEXT,
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE,
    CHECK (idle_ends_at <= ends_at),
    CHECK (generation >= 0),
    CHECK ((revoked_at IS NULL) = (revoke_reason IS NULL))
);
INSERT INTO "session" VALUES(1,'JJ-xBuKEJmPIz7GszF7irA','vici','b2b3f682-0bb5-441d-80a6-1e7c803a2dae',1795672625617,1795672625774,315273600,2110946225617,2110946225617,1,1795672625774,NULL,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL,0,'password:1795672625608',NULL,NULL);
INSERT INTO "session" VALUES(2,'Y9vVg5DTNLKvwUrbRXQPLA','vici','1db354b9-ba7b-47ec-a1e6-747b93b4ad00',1795672625724,1795672625724,315273600,2110946225724,2110946225724,0,1795672625724,1795672625734,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL,0,'password:1795672625710 totp:1795672625748',NULL,NULL);
INSERT INTO "session" VALUES(3,'ftQr5wHLb_kfvQ33Nc2DIQ','clarity','27be7a62-7127-4319-8544-050d9e3f543c',1795672625885,1795672625995,315273600,2110946225885,2110946225885,1,1795672625995,NULL,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL,0,'password:1795672625878',NULL,NULL);
INSERT INTO "session" VALUES(4,'Fnbi9BoiHn6we6wl70GsLQ','clarity','69012536-3814-4232-ae6a-027a54e22e36',1795672625964,1795672625964,315273600,2110946225964,2110946225964,0,1795672625964,1795672625974,NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL,0,'password:1795672625954 totp:1795672625984',NULL,NULL);
CREATE TABLE session_app_key (
    session INTEGER PRIMARY KEY NOT NULL REFERENCES session (number) ON DELETE CASCADE,
    key_id BLOB NOT NULL
);
CREATE TABLE session_attachment (
    session INTEGER PRIMARY KEY NOT NULL REFERENCES session (number) ON DELETE CASCADE,
    bytes BLOB NOT NULL,
    version INTEGER NOT NULL
);
CREATE TABLE sign_in_history (
    app TEXT NOT NULL,
    account_id TEXT NOT NULL,
    sealed BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (app, account_id),
    FOREIGN KEY (app, account_id) REFERENCES account (app, id) ON DELETE CASCADE
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
INSERT INTO "signing_key" VALUES(1,'idp','4zsUnnZ0VP96M4Z7pzp3umy4xAvJ4W_ubZGKR5Lz5co','ES256',X'63AD202CAF63DC89D0BDE279CCE2F846EA9B57EEBBA18B51F7DCEDB1BAFAA6EE3AC8EAA2CFEAB082A968E8700E999984F232CF6D9E7A6CAC0D8FD747',1795672625464,NULL);
INSERT INTO "signing_key" VALUES(2,'clarity','aYTc5w33MRfiOPpB0En-r5p5MYgUq2I3JIPmfxODncg','ES256',X'BD9410CFE88419E639572119A17ADB801EF498B8B8AB313D883CC4A8F382CB280D58BBFC581B218B4BA603C6DC3E5C53BFD5E4DD04EA4C7462CF77E3',1795672625478,NULL);
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
CREATE TABLE store_key (
    name TEXT PRIMARY KEY NOT NULL,
    sealed BLOB NOT NULL,
    created_at INTEGER NOT NULL
);
INSERT INTO "store_key" VALUES('derivation',X'158EEF9208CA59F8240BCDF6C7ED06CE21AA630308335BD8249E8595008D0D8C0B52B9D92948C87B9AED160AB738F8E29A37D0D05DF8558C936DB946',1795672625455);
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
INSERT INTO "ticket" VALUES('vici','pending_factor',X'9A97D2B8B4C0819D7C782290C74D1285EDA7BE2CFA619A7974540FC6B9BC6258',X'3A98B173C4AE52DC03C90511A5DFF4CC1B5F70524DAD013D35B6128ED6F5BE79028F270D994C67FA36649502E6AF60E3',1795673225736,1795672625756,NULL);
INSERT INTO "ticket" VALUES('clarity','pending_factor',X'1DE94202E16CD14EC8D8284E40960A7DF902987C3CDE33B0229C1721E76CACB3',X'4057AB219BEA439C4B0EE2960B080AF384E6DED554A0BDDE7AF632F087B0084E82498BAC0C0D1A5AD6D38A1B4AF5DF86',1795673225975,1795672625986,NULL);
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
CREATE INDEX device_account ON device (app, account_id);
CREATE TRIGGER device_factor_added AFTER INSERT ON factor
BEGIN
    UPDATE device SET remembered_until = NULL, remembered_for = NULL
    WHERE app = NEW.app AND account_id = NEW.account_id AND remembered_until IS NOT NULL;
END;
CREATE TRIGGER device_factor_removed AFTER DELETE ON factor
BEGIN
    UPDATE device SET remembered_until = NULL, remembered_for = NULL
    WHERE app = OLD.app AND account_id = OLD.account_id AND remembered_until IS NOT NULL;
END;
CREATE INDEX app_key_expiry ON app_key (kept_until);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('account',4);
INSERT INTO "sqlite_sequence" VALUES('signing_key',2);
INSERT INTO "sqlite_sequence" VALUES('event_delivery',0);
INSERT INTO "sqlite_sequence" VALUES('account_event',0);
INSERT INTO "sqlite_sequence" VALUES('session',4);
INSERT INTO "sqlite_sequence" VALUES('device',4);
INSERT INTO "sqlite_sequence" VALUES('audit_event',8);
INSERT INTO "sqlite_sequence" VALUES('factor',2);
INSERT INTO "sqlite_sequence" VALUES('message',2);
COMMIT;
