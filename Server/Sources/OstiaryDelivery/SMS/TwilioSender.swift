import Foundation
import OstiaryCore
import OstiaryEngine

/// Sends SMS through Twilio's API.
///
/// Source: Twilio, "Messages resource", version 2010-04-01.
package struct TwilioSender: MessageSender {
    private let account: TwilioAccount
    private let gateway: SMSGateway

    package init(account: TwilioAccount, gateway: SMSGateway) {
        self.account = account
        self.gateway = gateway
    }

    package func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure) {
        guard case .phoneNumber(let number) = message.recipient else {
            throw .permanent("it is not for a phone number")
        }
        let body = URLQuery.encode([
            ("To", number.e164), ("From", account.from), ("Body", message.text.reveal()),
        ])
        let url = account.baseURL.appending(path: "2010-04-01/Accounts/\(account.sid)/Messages.json")
        // Source: RFC 7617 §2.
        let credentials = Data("\(account.sid):\(account.authToken.reveal())".utf8).base64EncodedString()
        try await gateway.post(
            Array(body.utf8), to: url.absoluteString, destination: .thirdParty,
            contentType: "application/x-www-form-urlencoded", headers: [("Authorization", "Basic \(credentials)")],
            explain: Self.explain)
    }

    /// Returns only the number of Twilio's error: its message repeats the recipient.
    private static func explain(_ answer: [UInt8]) -> String? {
        struct Refusal: Decodable { var code: Int }
        return (try? JSONDecoder().decode(Refusal.self, from: Data(answer))).map { "Twilio error \($0.code)" }
    }
}
