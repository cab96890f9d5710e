import Foundation
import OstiaryClient
import OstiaryTesting

// Calls the new operation as a client does: through the contract's wire format, against the engine in memory.
let server = try TestServer(.clarity, seed: 1)
try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
let remote = try server.remote()
let jo = try await remote.perform(
    SignIn(identifier: .email(EmailAddress("jo@example.com")), password: Secret("correct horse 7 battery")))
_ = try await remote.perform(Ping(accessToken: jo.tokens.accessToken))
guard server.performed == [.signIn, .ping] else { throw Problem("the server did not perform the operation") }
do {
    _ = try await remote.perform(Ping(accessToken: Secret("another token")))
    throw Problem("an invalid token was accepted")
} catch AuthError.invalidAccessToken {}
guard Contract.clarity.endpoint(for: .ping)?.status == 204 else { throw Problem("the default status is not 204") }
let document = String(decoding: Contract.clarity.openAPI().bytes, as: UTF8.self)
guard document.contains("/api/v1/auth/ping"), document.contains("Reports that the session is active") else {
    throw Problem("the API description lacks the operation")
}
print("the new operation is served, spoken and described")

struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
