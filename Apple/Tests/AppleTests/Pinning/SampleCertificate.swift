import Foundation

/// A certificate in DER, and the pin that OpenSSL gives it: P-256, good until 2126.
struct SampleCertificate: Sendable {
    let der: Data
    let pin: String

    private init(pin: String, base64: String) {
        der = Data(base64Encoded: base64) ?? Data()
        self.pin = pin
    }

    static let leaf = SampleCertificate(
        pin: "sha256/9nkfAH5GOB2rfNGMal3tZvt7WFcv3YpO8uNmJgmrkC0=",
        base64: """
            MIIBCDCBrwIBAzAKBggqhkjOPQQDAjAQMQ4wDAYDVQQDDAVpbnRlcjAgFw0yNjExMjEyMDI1NTdaGA8yMTI2MTAyODIwMjU1N1ow\
            DzENMAsGA1UEAwwEbGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPIeF3fy+oqlnRUPRZeVRymTMlK/aNju2Wji2tQq9WCd\
            gJyAl4Fbwuj5gSa6AqvdAjoyuID/jjZDfnPbJkSVs7QwCgYIKoZIzj0EAwIDSAAwRQIgKso7dC5UoTZutfhcFQYviEEQ5YPCnczF\
            ZSD/6kvFZCYCIQDUJzcnEaco9btRV6JxILqCqWBT8aP/3wEoUhPgyNJCEw==
            """)

    static let intermediate = SampleCertificate(
        pin: "sha256/98Tn8zLUvKfj9lKqlM5VqZFyzGoWyHin+qikosaZzIA=",
        base64: """
            MIIBCTCBrwIBAjAKBggqhkjOPQQDAjAPMQ0wCwYDVQQDDARyb290MCAXDTI2MTEyMTIwMjU1N1oYDzIxMjYxMDI4MjAyNTU3WjAQ\
            MQ4wDAYDVQQDDAVpbnRlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAZ2MgxJLxhh2L9Xz6BcA7N+icR2dQ72HzPyelbuDIYH\
            7bom4057RVv0hGaSzPQChFCpjsxh9c12D/vSXSiHWdAwCgYIKoZIzj0EAwIDSQAwRgIhAJpJ13YaZGg/Z/ImSDwy0/polrSNuom5\
            QizOnPuS+qQuAiEAq1BEyI9cl1w6sclS7l0Ij8y/vZysBaSaJXPkkmik1TA=
            """)

    static let root = SampleCertificate(
        pin: "sha256/RWd3cMhx2I5VzPO2pjPo66bI+SVlPNfi1ZKteAx5M6k=",
        base64: """
            MIIBdTCCARugAwIBAgIUdoyh3n8zA4ra1EvYGj3+jjrzYMcwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEcm9vdDAgFw0yNjExMjEy\
            MDI1NTdaGA8yMTI2MTAyODIwMjU1N1owDzENMAsGA1UEAwwEcm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABCteVXmhLImT\
            VHlDSJ3lwae64vF3GjDI/0++vctL9+7bq/phI8aLbv4BOAUchKRr5U3iIW91+SF7EE2aNzOdn0ijUzBRMB0GA1UdDgQWBBQzEOIS\
            zGIwsz5Fe/jKBJiETgbchjAfBgNVHSMEGDAWgBQzEOISzGIwsz5Fe/jKBJiETgbchjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49\
            BAMCA0gAMEUCIQCQDDWTPaZhOAy6k37D24UPtm3hoWr84KWPj4MP48FMeAIgameuBAh7SoSBKr0rkgTE0nPSEl7Xpsw3QDprTTbR\
            cCs=
            """)

    static let rogue = SampleCertificate(
        pin: "sha256/dxl/HEeHGb9SeWIjJ9ucXULykKpq5vT9ZzCltadvKXI=",
        base64: """
            MIIBeDCCAR2gAwIBAgIUfXSXSa61Yk0SP3TVWqSNgv7LNc8wCgYIKoZIzj0EAwIwEDEOMAwGA1UEAwwFcm9ndWUwIBcNMjYxMTIx\
            MjAyNTU3WhgPMjEyNjEwMjgyMDI1NTdaMBAxDjAMBgNVBAMMBXJvZ3VlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWyynB6Y1\
            ftZ4Yg8hSzuwoTg1soplLQKtS3DDWuqmjfxe0RZ6vZHRB7QnT9r1VfH8h4KkBEjyRh4oerx1BLc0fqNTMFEwHQYDVR0OBBYEFHVq\
            QJuRFiK5+wj3/rjRnRIH0tAkMB8GA1UdIwQYMBaAFHVqQJuRFiK5+wj3/rjRnRIH0tAkMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZI\
            zj0EAwIDSQAwRgIhAL1AdOGVBnIYpfCd6bJZ2CelTnTilb30hn3TGO1tABxEAiEA8/kJtanab6FRljeRaDjoBoldVaqTD7NnPhD9\
            iEcynec=
            """)
}
