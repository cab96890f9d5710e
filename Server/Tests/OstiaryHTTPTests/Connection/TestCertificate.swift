/// Self-signed certificates for `localhost` with their keys, generated for these tests; valid from 2020 to 2120.
struct TestCertificate: Sendable {
    let certificate: String
    let key: String

    static let one = TestCertificate(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBQzCB6qADAgECAhRigk78t0d5llHUphJEE46OnEY69TAKBggqhkjOPQQDAjAU
            MRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEw
            MDAwMDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49
            AwEHA0IABG1OJaxG5Di+naFNawpfudCBwfMrZrsJLKd2uh7C+Vepi6AgTFAjV/uB
            1LvqJT8V9FnT/NxgTl2A+3ZUbcJlvlqjGDAWMBQGA1UdEQQNMAuCCWxvY2FsaG9z
            dDAKBggqhkjOPQQDAgNIADBFAiEAv0JY+jye5nAfcRwofYXWb5DbC8bxKzRx6PzP
            I5zJdvwCIBcQ1kfIeorOuG9LIF4ghMoiATmQ1k3IFXmpAemb8RMa
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgG8eE+u4UcfuVaDu+
            3LDdD/V+KtzGSkbUEGaTG+zgXsqhRANCAARtTiWsRuQ4vp2hTWsKX7nQgcHzK2a7
            CSyndroewvlXqYugIExQI1f7gdS76iU/FfRZ0/zcYE5dgPt2VG3CZb5a
            -----END PRIVATE KEY-----
            """)

    static let two = TestCertificate(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBQzCB6qADAgECAhR8GsuuvaAfo6gmKl7bRoRC5s+hejAKBggqhkjOPQQDAjAU
            MRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEw
            MDAwMDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49
            AwEHA0IABHIhcGV7Xc57HVJ0Jg64AkoSKH3L9QIEB/rSJBgxO5AI21jxRNJz/8GC
            u/2IpYs46n+d2bnaFi7iJN+BeUGMu6yjGDAWMBQGA1UdEQQNMAuCCWxvY2FsaG9z
            dDAKBggqhkjOPQQDAgNIADBFAiBb+j9TdOmwlkgtld6qvh9GN1t/54nelmOdGtjJ
            qMD2jQIhAPlu8mTfTHJAHsUgdFp1359lIgOlOVuiCFpe/NLpopI4
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZbxkXS5QGMFRAEdq
            wPpjcvVgsBvcTRZXMTBlKJvPZjOhRANCAARyIXBle13Oex1SdCYOuAJKEih9y/UC
            BAf60iQYMTuQCNtY8UTSc//Bgrv9iKWLOOp/ndm52hYu4iTfgXlBjLus
            -----END PRIVATE KEY-----
            """)
}
