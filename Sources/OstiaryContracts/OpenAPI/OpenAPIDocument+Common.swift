extension OpenAPIDocument {
    /// `GET /verify`: the endpoint for authentication requests of a reverse proxy.
    var verification: JSON {
        let text: JSON = ["schema": ["type": "string"]]
        return [
            "operationId": "verify",
            "summary": "Tells a reverse proxy whether a request is from a signed-in person",
            "parameters": [
                ["name": "role", "in": "query", "required": false, "schema": ["type": "string"]],
                [
                    "name": "acr", "in": "query", "required": false,
                    "schema": ["type": "string", "enum": ["aal1", "aal2"]],
                ],
                [
                    "name": "max_age", "in": "query", "required": false,
                    "schema": ["type": "integer", "minimum": 0, "maximum": 999_999_999],
                ],
                [
                    "name": "permission", "in": "query", "required": false, "style": "form", "explode": true,
                    "schema": [
                        "type": "array", "maxItems": 16,
                        "items": ["type": "string", "pattern": "^[a-z0-9_.-]{1,64}:[a-z0-9_.-]{1,64}$"],
                    ],
                ],
                [
                    "name": "scope", "in": "query", "required": false,
                    "schema": ["type": "string", "pattern": "^[A-Za-z0-9_.:/-]{1,128}$"],
                ],
            ],
            "security": .array(accessTokens),
            "responses": .object(
                [
                    JSON.Member(
                        "200",
                        [
                            "description": "A live access token",
                            "headers": [
                                "X-Auth-User": text, "X-Auth-Session": text, "X-Auth-Roles": text,
                                "X-Auth-Permissions": text, "X-Auth-Actor": text,
                                "X-Auth-Acr": text, "X-Auth-Amr": text, "X-Auth-Time": text,
                            ],
                        ])
                ] + [400, 401, 403, 405, 429, 503].map(failureReference)),
        ]
    }

    /// The header of a request by which the account recognizes a device.
    var deviceTokenParameter: JSON {
        [
            "name": .string(DeviceTokenHeader.displayName), "in": "header", "required": false,
            "description": "The secret of a recognized device: see the header of the answer to a sign-in",
            "schema": deviceTokenSchema,
        ]
    }

    /// The header of a request by which an attested app is recognized.
    var appAssertionParameter: JSON {
        [
            "name": .string(AppAssertionHeader.displayName), "in": "header", "required": false,
            "description": "An assertion of App Attest, where the app requires one: the key id and the assertion",
            "schema": [
                "type": "string", "pattern": "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$",
                "maxLength": .integer(AppAssertionHeader.maximumBytes),
            ],
        ]
    }

    /// The header of a request by which a client answers ``proofOfWorkSchema``.
    var proofOfWorkParameter: JSON {
        [
            "name": .string(ProofOfWorkHeader.displayName), "in": "header", "required": false,
            "description": "The challenge of a refusal and the counter that solves it",
            "schema": [
                "type": "string", "pattern": .string(ProofOfWorkHeader.pattern),
                "maxLength": .integer(ProofOfWorkHeader.maximumBytes),
            ],
        ]
    }

    /// The member of a refusal that asks for a computation.
    var proofOfWorkSchema: JSON {
        [
            "type": "object",
            "description": "A computation that lets the next attempt be judged before Retry-After",
            "properties": [
                "challenge": [
                    "type": "string", "description": "Begins the text to hash, before a colon and the counter",
                ],
                "bits": ["type": "integer", "description": "Zero bits with which the SHA-256 hash must begin"],
            ],
            "required": ["challenge", "bits"],
        ]
    }

    /// The header of an answer after which the account recognizes the device.
    var deviceTokenHeader: JSON.Member {
        JSON.Member(
            DeviceTokenHeader.displayName,
            [
                "description":
                    "The secret of the device, to present at the next sign-in in the place of every earlier one",
                "schema": deviceTokenSchema,
            ])
    }

    private var deviceTokenSchema: JSON {
        ["type": "string", "pattern": "^[A-Za-z0-9_-]+$", "maxLength": .integer(DeviceTokenHeader.maximumBytes)]
    }

    /// `GET /openapi.json`: this document.
    var ownDescription: JSON {
        [
            "operationId": "openAPI",
            "summary": "This description",
            "security": [],
            "responses": .object(
                [JSON.Member("200", ["description": "OpenAPI 3.1", "content": content(["type": "object"])])]
                    + [400, 405, 429, 503].map(failureReference)),
        ]
    }
}
