import Foundation
import OstiaryContracts
import OstiaryCore

enum PasskeyForm {
    static func json(_ credentialID: Data, _ response: [(String, Data?)]) -> Data {
        let id = JSON.string(Base64URL.encode(credentialID))
        let members = response.compactMap { name, data in data.map { JSON.Member(name, .string(Base64URL.encode($0))) }
        }
        let form: JSON = [
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "platform",
            "response": .object(members), "clientExtensionResults": [:],
        ]
        return Data(form.bytes)
    }
}
