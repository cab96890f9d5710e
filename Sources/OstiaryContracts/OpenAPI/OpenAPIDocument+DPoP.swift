import OstiaryCore

/// The parts of an app whose tokens may be bound to a key. Source: RFC 9449.
extension OpenAPIDocument {
    /// The alternatives by which a request presents an access token.
    var accessTokens: [JSON] { bindsTokens ? [["bearer": []], ["dpop": []]] : [["bearer": []]] }

    var securitySchemes: JSON {
        let bearer: JSON = ["type": "http", "scheme": "bearer"]
        guard bindsTokens else { return ["bearer": bearer] }
        return [
            "bearer": bearer,
            "dpop": [
                "type": "http", "scheme": "dpop",
                "description": "A token that is bound to a key, which the header DPoP proves (RFC 9449)",
            ],
        ]
    }

    /// The types of tokens in answers.
    var tokenTypeSchema: JSON {
        guard bindsTokens else { return ["type": "string", "const": .string(Tokens.type)] }
        return ["type": "string", "enum": [.string(Tokens.type), .string(Tokens.boundType)]]
    }

    /// The header with the proof, for an operation that opens a session or presents a token.
    func proofParameters(of kind: OperationKind) -> [JSON] {
        let description = kind.description
        guard bindsTokens, description.opensSession || description.authorization != .none || kind == .refresh else {
            return []
        }
        return [
            [
                "name": .string(DPoPHeader.tokenType), "in": "header", "required": false,
                "description": "The proof of the key that the session is bound to, or that a new session is bound to",
                "schema": ["type": "string", "maxLength": .integer(DPoPProof.maximumBytes)],
            ]
        ]
    }
}
