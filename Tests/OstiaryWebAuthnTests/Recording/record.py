"""Records registrations and assertions of soft-webauthn and python-fido2 as Swift literals."""
import hashlib, inspect, json, struct
from base64 import urlsafe_b64encode
import soft_webauthn
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2 import cbor
from fido2.cose import EdDSA, RS256
from fido2.server import Fido2Server
from fido2.webauthn import AttestedCredentialData, AuthenticatorData, AttestationObject, PublicKeyCredentialRpEntity

RP, ORIGIN = 'example.com', 'https://example.com'
HANDLE = bytes(range(32))
b64 = lambda b: urlsafe_b64encode(b).decode().rstrip('=')

# soft-webauthn never verifies the user; the same source with UV set is the authenticator of the other recordings.
source = inspect.getsource(soft_webauthn.SoftWebauthnDevice).replace(r"b'\x41'", r"b'\x45'").replace(r"b'\x01'", r"b'\x05'")
space = dict(vars(soft_webauthn)); exec(source, space)
Verifying = space['SoftWebauthnDevice']

def to_json(credential, transports=None):
    r = credential['response']
    out = {k: b64(v) for k, v in r.items()}
    if transports is not None: out['transports'] = transports
    return json.dumps({'id': b64(credential['rawId']), 'rawId': b64(credential['rawId']), 'type': credential['type'],
                       'response': out, 'clientExtensionResults': {}, 'authenticatorAttachment': 'cross-platform'}, separators=(',', ':'))

class Other:
    """An authenticator for EdDSA and RS256, on python-fido2's encoders, with fido2's extensions and a counter."""
    def __init__(self, alg):
        self.alg, self.count = alg, 0
        self.key = ed25519.Ed25519PrivateKey.generate() if alg == -8 else rsa.generate_private_key(65537, 2048)
        self.id = hashlib.sha256(b'credential %d' % alg).digest()
    def data(self, flags, **kw):
        self.count += 1
        return AuthenticatorData.create(hashlib.sha256(RP.encode()).digest(), flags, self.count, **kw)
    def client(self, type, challenge):
        return json.dumps({'type': type, 'challenge': b64(challenge), 'origin': ORIGIN, 'crossOrigin': False}, separators=(',', ':')).encode()
    def create(self, challenge):
        cose = (EdDSA if self.alg == -8 else RS256).from_cryptography_key(self.key.public_key())
        att = AttestedCredentialData.create(b'\x11' * 16, self.id, cose)
        data = self.data(0x45 | 0x80, credential_data=att, extensions={'credProtect': 3})
        return {'rawId': self.id, 'type': 'public-key', 'response': {
            'clientDataJSON': self.client('webauthn.create', challenge),
            'attestationObject': bytes(AttestationObject.create('none', data, {}))}}
    def get(self, challenge):
        data, client = self.data(0x05), self.client('webauthn.get', challenge)
        message = bytes(data) + hashlib.sha256(client).digest()
        s = self.key.sign(message) if self.alg == -8 else self.key.sign(message, padding.PKCS1v15(), hashes.SHA256())
        return {'rawId': self.id, 'type': 'public-key', 'response': {
            'clientDataJSON': client, 'authenticatorData': bytes(data), 'signature': s, 'userHandle': HANDLE}}

def options(challenge):
    return {'publicKey': {'challenge': challenge, 'rp': {'id': RP, 'name': 'Example'}, 'user': {'id': HANDLE, 'name': 'a'},
            'rpId': RP, 'pubKeyCredParams': [{'alg': -7, 'type': 'public-key'}]}}

records = []
def record(name, device, soft, challenges):
    rc, ac = challenges
    if soft:
        reg, assertion = device.create(options(rc), ORIGIN), None
        assertion = device.get(options(ac), ORIGIN)
    else:
        reg, assertion = device.create(rc), device.get(ac)
    # The assertion is verified by python-fido2 as well, before it is recorded.
    data = AttestationObject(reg['response']['attestationObject']).auth_data.credential_data
    data.public_key.verify(assertion['response']['authenticatorData'] + hashlib.sha256(assertion['response']['clientDataJSON']).digest(), assertion['response']['signature'])
    records.append((name, rc.hex(), to_json(reg, ['internal', 'usb'] if not soft else None), ac.hex(), to_json(assertion)))

challenge = lambda n: hashlib.sha256(b'fixed challenge %d' % n).digest()
for n in range(3): record(f'softES256_{n+1}', Verifying(), True, (challenge(2*n), challenge(2*n+1)))
record('softUnverified', soft_webauthn.SoftWebauthnDevice(), True, (challenge(6), challenge(7)))
record('fido2EdDSA', Other(-8), False, (challenge(8), challenge(9)))
record('fido2RS256', Other(-257), False, (challenge(10), challenge(11)))

def literal(text, indent):
    lines = [text[i:i+100] for i in range(0, len(text), 100)]
    pad = ' ' * indent
    return '"""\n' + '\\\n'.join(pad + l for l in lines) + '\n' + pad + '"""'

out = ['''/// Registrations and assertions by independent authenticators: soft-webauthn 0.1.4 (ES256), and python-fido2 1.2.0's
/// encoders with keys of python-cryptography 44.0.3 (EdDSA, RS256). python-fido2 verified each signature as well.
///
/// soft-webauthn itself never sets UV; `unverified` is its unchanged output, the others come from the same source with
/// the flag set.
struct RecordedCeremony: Sendable {
    static let relyingPartyID = "example.com"
    static let origin = "https://example.com"
    static let userHandle: [UInt8] = Array(0..<32)

    let name: String
    let registrationChallenge: [UInt8]
    let registration: String
    let authenticationChallenge: [UInt8]
    let authentication: String
''']
names = {'softES256_1': 'first', 'softES256_2': 'second', 'softES256_3': 'third', 'softUnverified': 'unverified', 'fido2EdDSA': 'edDSA', 'fido2RS256': 'rs256'}
out.append('    static let verified = [first, second, third, edDSA, rs256]\n')
for name, rc, reg, ac, aut in records:
    out.append(f'''    static let {names[name]} = RecordedCeremony(
        name: "{name}",
        registrationChallenge: hex("{rc}"),
        registration: {literal(reg, 12)},
        authenticationChallenge: hex("{ac}"),
        authentication: {literal(aut, 12)})
''')
out.append('}')
open('Tests/OstiaryWebAuthnTests/RecordedCeremony.swift', 'w').write('\n'.join(out) + '\n')
