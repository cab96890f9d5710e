"""The five contracts as tables: the fields of each request, its answer, and the format of refusals."""

from dataclasses import dataclass, field

from shapes import base64_of, integer, jwt, one_of, optional, text, token

# The keys that an error body may have beyond the contract's own: three for every contract, the others for a next step.
ADDITIONS = {
    "code": text, "retry_after": integer, "incident": text,
    "field": text, "minimum": integer, "maximum": integer, "challenge": text, "challenge_token": text,
}


@dataclass(frozen=True)
class Field:
    """One field of a request: `sample` has its type and form, but identifies no account."""
    sample: object
    required: bool = True
    unsaid: bool = False  # The page does not specify the effect of its absence: refused or not, but in the contract's format.


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str
    fields: dict = field(default_factory=dict)
    answer: object = None  # A shape; None for an answer without a body.
    status: int = 200
    bearer: bool = False
    body_may_be_empty: bool = False
    public: bool = False  # Contains neither a token nor personal data, so that a cache may store it.

    @property
    def sample(self):
        return {name: field.sample for name, field in self.fields.items()}


@dataclass(frozen=True)
class Contract:
    name: str
    identifier: str
    refusal: dict
    endpoints: dict
    access: str = "access_token"
    refresh: str = "refresh_token"
    enveloped: bool = False
    guarded: str = "me"  # The endpoint that tells whether an access token is valid; None: only forward-auth does.


EMAIL, PASSWORD = Field("nobody@example.com"), Field("a long enough passphrase")
OPAQUE = "dG9rZW4tdGhhdC1ub2JvZHktZXZlci1nb3Q"



def _data(shape):
    return {"success": True, "data": shape}


def _derived(prefix, signed_in, full_name=None, spelled=lambda name: name, answered=lambda shape: shape):
    """The endpoints that the rules add to every contract with passwords: social sign-in, ID tokens of devices, next steps."""
    names = {full_name: Field("No One", required=False)} if full_name else {}
    return {
        "social": Endpoint("POST", f"{prefix}/social/google", {
            spelled("app_challenge"): Field("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", required=False)},
            answered({spelled("oauth_url"): text}), body_may_be_empty=True),
        "social_callback": Endpoint("POST", f"{prefix}/social-callback", {
            spelled("authorization_code"): Field(OPAQUE), "state": Field(OPAQUE),
            spelled("app_verifier"): Field("v" * 43, required=False, unsaid=True)}, signed_in),
        "identity_token": Endpoint("POST", f"{prefix}/social/google/identity-token", {
            spelled("identity_token"): Field("e30.e30.e30"), "nonce": Field("n" * 32)} | names, signed_in),
        "challenge": Endpoint("POST", f"{prefix}/challenge", {
            spelled("challenge_token"): Field(OPAQUE), "answers": Field({"NEW_PASSWORD": "another passphrase"})},
            signed_in),
    }


def _signing_key(prefix, spelled=lambda name: name, answered=lambda shape: shape, refreshes=True):
    """The endpoint of the key that signs a session's requests, which every contract has."""
    fields = {spelled("refresh_token"): Field(OPAQUE, required=False)} if refreshes else {}
    return {"signing_key": Endpoint(
        "POST", f"{prefix}/signing-key", fields, answered({spelled("key_id"): text, spelled("signing_key"): base64_of(32)}),
        bearer=True, body_may_be_empty=True)}


def _camel_case(name):
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


_user = {"id": text, "email": text, "name": optional(text)}
_signed_in = {"user": _user, "accessToken": jwt, "refreshToken": jwt}
VICI = Contract("vici", "email", {"error": text}, {
    "register": Endpoint("POST", "/api/auth/register", {
        "email": EMAIL, "password": PASSWORD, "name": Field("No One", required=False)}, _signed_in, 201),
    "login": Endpoint("POST", "/api/auth/login", {"email": EMAIL, "password": PASSWORD}, _signed_in),
    "refresh": Endpoint("POST", "/api/auth/refresh-token", {"refreshToken": Field(OPAQUE)},
                        {"accessToken": jwt, "refreshToken": jwt}),
    "forgot": Endpoint("POST", "/api/auth/forgot-password", {"email": EMAIL},
                       {"message": "Password reset instructions sent to your email"}),
    "reset": Endpoint("POST", "/api/auth/reset-password", {"token": Field(OPAQUE), "password": PASSWORD},
                      {"message": "Password reset successful"}),
    "logout": Endpoint("POST", "/api/auth/logout", {"refreshToken": Field(OPAQUE)}, {"message": "Logout successful"}),
    "me": Endpoint("GET", "/api/auth/me", {}, _user, bearer=True),
    "update": Endpoint("PATCH", "/api/auth/me", {"name": Field("No One", required=False)}, _user, bearer=True,
                       body_may_be_empty=True),
} | _derived("/api/auth", _signed_in, "name", _camel_case)
  | _signing_key("/api/auth", _camel_case), access="accessToken", refresh="refreshToken")

_tokens = {"access_token": jwt, "refresh_token": token, "expires_in": 3600}
_signed_in = _tokens | {"user": {"id": text, "email": text, "name": optional(text)}}
_device = {"device_id": "D-1", "platform": "iOS", "os_version": "18.0", "app_version": "1.0.0"}
CLARITY = Contract("clarity", "email", {"detail": text}, {
    "register": Endpoint("POST", "/api/v1/auth/register", {
        "email": EMAIL, "password": PASSWORD, "name": Field("No One", required=False, unsaid=True)}, _signed_in, 201),
    "login": Endpoint("POST", "/api/v1/auth/login", {
        "email": EMAIL, "password": PASSWORD, "remember_me": Field(False, required=False),
        "device_info": Field(_device, required=False)}, _signed_in),
    "refresh": Endpoint("POST", "/api/v1/auth/refresh", {"refresh_token": Field(OPAQUE)}, _tokens),
    "logout": Endpoint("POST", "/api/v1/auth/logout", {"refresh_token": Field(OPAQUE, required=False)},
                       {"message": "Logged out successfully"}, bearer=True, body_may_be_empty=True),
    "me": Endpoint("GET", "/api/v1/auth/me", {}, _signed_in["user"], bearer=True),
} | _derived("/api/v1/auth", _signed_in, "name") | _signing_key("/api/v1/auth"))

_signed_in = _tokens | {"user": {"id": text, "phone_number": text}}
PHONE, OTP = Field("+15550100000"), Field("123456")
BARQNET = Contract("barqnet", "phone_number", {"success": False, "error": text}, {
    "send": Endpoint("POST", "/v1/auth/send-otp", {"phone_number": PHONE}, _data({"session_id": text})),
    "verify": Endpoint("POST", "/v1/auth/verify-otp", {
        "phone_number": PHONE, "otp": OTP, "session_id": Field(OPAQUE)}, _data({"verification_token": token})),
    "register": Endpoint("POST", "/v1/auth/register", {"phone_number": PHONE, "password": PASSWORD, "otp": OTP},
                         _data(_signed_in), 201),
    "login": Endpoint("POST", "/v1/auth/login", {"phone_number": PHONE, "password": PASSWORD}, _data(_signed_in)),
    "refresh": Endpoint("POST", "/v1/auth/refresh", {"token": Field(OPAQUE)}, _data(_tokens)),
    "logout": Endpoint("POST", "/v1/auth/logout", {"token": Field(OPAQUE, required=False, unsaid=True)},
                       {"success": True}, bearer=True, body_may_be_empty=True),
} | _derived("/v1/auth", _data(_signed_in), answered=_data)
  | _signing_key("/v1/auth", answered=_data), enveloped=True, guarded=None)

_user = {"id": integer, "username": text, "email": text, "full_name": optional(text),
         "auth_provider": one_of("local", "auth0"), "is_admin": one_of(True, False)}
_signed_in = {"access_token": jwt, "token_type": "Bearer", "expires_in": 3600, "user": _user}
VIEWVAULT = Contract("viewvault", "username", {"detail": text}, {
    "config": Endpoint("GET", "/api/auth/auth0/config", {}, {"domain": text, "client_id": text, "audience": text},
                       public=True),
    "google": Endpoint("POST", "/api/auth/auth0/oauth/google", {}, {"oauth_url": text}, body_may_be_empty=True),
    "github": Endpoint("POST", "/api/auth/auth0/oauth/github", {}, {"oauth_url": text}, body_may_be_empty=True),
    "callback": Endpoint("POST", "/api/auth/auth0/callback", {"code": Field(OPAQUE), "state": Field(OPAQUE)},
                         _signed_in),
    "register": Endpoint("POST", "/api/auth/register", {
        "username": Field("nobody"), "email": EMAIL, "password": PASSWORD,
        "full_name": Field("No One", required=False)}, _signed_in, 201),
    "login": Endpoint("POST", "/api/auth/login", {"username": Field("nobody"), "password": PASSWORD}, _signed_in),
    "me": Endpoint("GET", "/api/auth/me", {}, _user, bearer=True),
    "logout": Endpoint("POST", "/api/auth/logout", {}, None, 204, bearer=True, body_may_be_empty=True),
} | {name: endpoint for name, endpoint in _derived("/api/auth", _signed_in, "full_name").items()
     if name in ("identity_token", "challenge")} | _signing_key("/api/auth", refreshes=False))  # Its social sign-in has paths of its own.

TIMETRACKER = Contract("timetracker", "username", {"error": text}, {
    "begin": Endpoint("GET", "/auth/login"),
    "token": Endpoint("POST", "/auth/token", {
        "code": Field(OPAQUE), "state": Field(OPAQUE), "redirect_uri": Field("timetracker://oauth/callback")},
        {"access_token": jwt, "token_type": "Bearer", "expires_in": 3600,
         "user": {"id": text, "username": text, "fullName": optional(text), "email": optional(text)}}),
    "me": Endpoint("GET", "/auth/me", {}, None, bearer=True),
    "logout": Endpoint("POST", "/auth/logout", {}, None, 204, bearer=True, body_may_be_empty=True),
} | _signing_key("/auth", refreshes=False))

CONTRACTS = {contract.name: contract for contract in (TIMETRACKER, VICI, CLARITY, BARQNET, VIEWVAULT)}
