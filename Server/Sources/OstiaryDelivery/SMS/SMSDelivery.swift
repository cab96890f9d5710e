import Foundation
package import OstiaryCore
import OstiaryEngine

/// The destination of a server's SMS.
package enum SMSDelivery: Sendable {
    case twilio(TwilioAccount)
    case webhook(SMSWebhook)
    /// The development inbox.
    case inbox
}

/// An account at Twilio, or at a service with the same API.
package struct TwilioAccount: Sendable {
    let sid: String
    let authToken: Secret<String>
    let from: String
    let baseURL: URL

    /// Validates the account's settings.
    ///
    /// - Parameters:
    ///   - from: A phone number in E.164 form, or a sender name of up to 11 ASCII letters, digits and spaces.
    ///   - baseURL: The API's base URL; that of another region is for example `https://api.dublin.ie1.twilio.com`.
    /// - Throws: ``InvalidDeliverySetting``.
    package init(
        accountSID: String, authToken: Secret<String>, from: String, baseURL: String = "https://api.twilio.com"
    ) throws(InvalidDeliverySetting) {
        guard (1...64).contains(accountSID.utf8.count), accountSID.utf8.allSatisfy({ $0.isASCIILetterOrDigit }) else {
            throw InvalidDeliverySetting("must have an account_sid of letters and digits")
        }
        guard !authToken.reveal().isEmpty, authToken.reveal().isOneLine else {
            throw InvalidDeliverySetting("must have an auth_token")
        }
        let isName =
            (1...11).contains(from.utf8.count) && from.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == 0x20 }
        guard let sender = isName ? from : (try? PhoneNumber(from))?.e164 else {
            throw InvalidDeliverySetting("must have a phone number like +15551234567 as from")
        }
        sid = accountSID
        self.authToken = authToken
        self.from = sender
        self.baseURL = try gatewayURL(baseURL)
    }
}

/// An endpoint of the operator that forwards SMS.
package struct SMSWebhook: Sendable {
    let url: URL
    let secret: Secret<String>

    /// - Parameter secret: The key that request bodies are signed with; at least 32 bytes.
    /// - Throws: ``InvalidDeliverySetting``.
    package init(url: String, secret: Secret<String>) throws(InvalidDeliverySetting) {
        guard secret.reveal().utf8.count >= 32 else {
            throw InvalidDeliverySetting("must have a secret of at least 32 bytes")
        }
        self.url = try gatewayURL(url)
        self.secret = secret
    }
}

/// Parses a gateway's URL. Codes and credentials are not sent over plain HTTP, except to this machine.
private func gatewayURL(_ text: String) throws(InvalidDeliverySetting) -> URL {
    guard text.isOneLine, let url = URL(string: text), let host = url.host(), !host.isEmpty, url.user() == nil,
        url.password() == nil, url.fragment() == nil,
        url.scheme == "https" || (url.scheme == "http" && IPAddress.isLoopback(host: host))
    else { throw InvalidDeliverySetting("must have an https URL (http on loopback) without user and fragment") }
    return url
}

extension UInt8 {
    var isASCIILetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
