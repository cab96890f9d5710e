"""The provider's metadata: its discovery document, field by field, and its keys."""

from joserfc import jwk

ENDPOINTS = {
    "authorization_endpoint": "/authorize", "token_endpoint": "/oauth/token", "userinfo_endpoint": "/userinfo",
    "jwks_uri": "/.well-known/jwks.json", "revocation_endpoint": "/oauth/revoke",
    "introspection_endpoint": "/oauth/introspect", "end_session_endpoint": "/end-session",
}


def run(provider):
    answer = provider.wire.get("/.well-known/openid-configuration")
    document = answer.json
    wanted = {"issuer": provider.base} | {name: provider.base + path for name, path in ENDPOINTS.items()} | {
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"], "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True, "request_uri_parameter_supported": False,
        "request_parameter_supported": False, "claims_parameter_supported": False}
    provider.checks.equal("discovery is 200", 200, answer.status)
    for name, value in wanted.items():
        provider.checks.equal(f"discovery: {name}", value, document.get(name))
    for name, values in (("scopes_supported", {"openid", "profile", "email", "offline_access"}),
                         ("grant_types_supported", {"authorization_code", "refresh_token"}),
                         ("token_endpoint_auth_methods_supported", {
                             "client_secret_basic", "client_secret_post", "none"}),
                         ("claims_supported", {"sub", "iss", "aud", "exp", "iat", "nonce", "email",
                                               "email_verified", "name"})):
        provider.checks.that(f"discovery: {name}", values <= set(document.get(name, [])), values, document.get(name))
    for name in ENDPOINTS:
        if name in ("jwks_uri", "userinfo_endpoint"):
            continue
        path = document[name].removeprefix(provider.base)
        provider.checks.that(f"{name} is there", provider.wire.get(path).status not in (404, 500), "an answer")
    keys = provider.wire.get("/.well-known/jwks.json").json["keys"]
    provider.checks.that("an RSA key of 2048 bits or more is published", any(
        key["kty"] == "RSA" and key.get("alg") == "RS256" and len(key["n"]) >= 342 for key in keys), "RS256", keys)
    provider.checks.that("no private member is", not any(
        {"d", "p", "q", "dp", "dq", "qi", "k"} & key.keys() for key in keys))
    provider.keys = jwk.KeySet.import_key_set({"keys": keys})
    for path in ("/nothing", "/.well-known/", "/oauth", "/../healthz", "/sign-in/x"):
        provider.checks.that(f"GET /idp{path} is nobody's", provider.wire.get(path).status in (400, 404), 404)
    return document
