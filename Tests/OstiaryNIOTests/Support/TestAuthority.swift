#if NIO
import Foundation
import OstiaryNIO
import OstiaryTestSupport

/// Certificates for localhost, made by OpenSSL once for all tests: root → intermediate → leaf, and everything that is wrong.
///
/// By name: `root`, `intermediate` and `leaf`; `expired`, `elsewhere` (for another host), `client` (for clients alone),
/// `nameless` (a common name alone) and `weak` (signed with SHA-1) from the same intermediate; `other` is another root,
/// `foreign` its leaf; `pretender` is signed by `leaf`, and `underling` by `unlicensed`, which may not sign.
final class TestAuthority: Sendable {
    static let shared = Task { try await TestAuthority() }

    let directory: TemporaryDirectory
    /// What OpenSSL says each certificate's pin is.
    let pins: [String: String]

    private init() async throws {
        directory = try TemporaryDirectory()
        let process = try PythonProcess(Self.program, [directory.path])
        defer { process.stop() }
        pins = try JSONDecoder().decode([String: String].self, from: Data(await process.nextLine().utf8))
    }

    func pin(_ name: String) -> String { pins[name] ?? "" }

    func roots(_ names: String...) throws -> TrustRoots {
        var pem = Data()
        for name in names { pem += try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\(name).pem")) }
        return try TrustRoots(pem: pem)
    }

    private static let program = """
        import base64, json, subprocess
        os.chdir(sys.argv[1])

        def openssl(*arguments, data=None):
            return subprocess.run(["openssl", *arguments], input=data, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, check=True).stdout

        def extensions(name, authority, *more, uses=None):
            uses = uses or ("keyCertSign,cRLSign" if authority else "digitalSignature")
            text = [f"basicConstraints=critical,CA:{'TRUE' if authority else 'FALSE'}", f"keyUsage=critical,{uses}", *more]
            open(f"{name}.ext", "w").write("\\n".join(text) + "\\n")

        def key(name, *kind):
            openssl("genpkey", *(kind or ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")), "-out", f"{name}.key")

        def root(name, *kind):
            key(name, *kind)
            openssl("req", "-x509", "-new", "-key", f"{name}.key", "-subj", f"/CN=Test {name}", "-days", "2",
                    "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", f"{name}.pem")

        def issued(name, issuer, subject, authority=False, more=(), kind=(), uses=None, digest="sha256"):
            key(name, *kind)
            extensions(name, authority, *more, uses=uses)
            request = openssl("req", "-new", "-key", f"{name}.key", "-subj", f"/CN={subject}")
            openssl("x509", "-req", "-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key", "-set_serial",
                    str(int.from_bytes(os.urandom(8), "big")), "-days", "2", "-extfile", f"{name}.ext",
                    f"-{digest}", "-out", f"{name}.pem", data=request)

        here = "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1"
        serving = "extendedKeyUsage=serverAuth"
        root("root", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384")
        root("other")
        issued("intermediate", "root", "Test intermediate", True, kind=("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"))
        issued("leaf", "intermediate", "localhost", more=(here, serving))
        issued("elsewhere", "intermediate", "localhost", more=("subjectAltName=DNS:example.test", serving))
        issued("client", "intermediate", "localhost", more=(here, "extendedKeyUsage=clientAuth"))
        issued("nameless", "intermediate", "localhost", more=(serving,))
        issued("weak", "intermediate", "localhost", more=(here, serving), digest="sha1")
        issued("unlicensed", "root", "Test unlicensed", True, uses="digitalSignature")
        issued("underling", "unlicensed", "localhost", more=(here, serving))
        issued("foreign", "other", "localhost", more=(here, serving))
        issued("pretender", "leaf", "localhost", more=(here, serving))

        # x509 makes no certificate that is over.
        open("index", "w").close()
        open("ca.cnf", "w").write("[ca]\\ndefault_ca=x\\n[x]\\ndatabase=index\\nnew_certs_dir=.\\nrand_serial=yes\\n"
                                  "default_md=sha256\\npolicy=p\\n[p]\\ncommonName=supplied\\n")
        key("expired")
        extensions("expired", False, here, serving)
        open("expired.csr", "wb").write(openssl("req", "-new", "-key", "expired.key", "-subj", "/CN=localhost"))
        openssl("ca", "-batch", "-config", "ca.cnf", "-cert", "intermediate.pem", "-keyfile", "intermediate.key", "-in",
                "expired.csr", "-startdate", "20240101000000Z", "-enddate", "20240201000000Z", "-extfile",
                "expired.ext", "-notext", "-out", "expired.pem")

        pins = {}
        for name in [name[:-4] for name in os.listdir(".") if name.endswith(".key")]:
            public = openssl("x509", "-in", f"{name}.pem", "-pubkey", "-noout")
            digest = openssl("dgst", "-sha256", "-binary", data=openssl("pkey", "-pubin", "-outform", "der", data=public))
            pins[name] = "sha256/" + base64.b64encode(digest).decode()
        print(json.dumps(pins), flush=True)
        """
}
#endif
