/// Registrations and assertions by independent authenticators: soft-webauthn 0.1.4 (ES256), and python-fido2 1.2.0's
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

    static let verified = [first, second, third, edDSA, rs256]

    static let first = RecordedCeremony(
        name: "softES256_1",
        registrationChallenge: hex("70cff9a8d3f1401de86a716f07fa2f61811d34b11089659a05fcec96767d5d5b"),
        registration: """
            {"id":"mbAaBeO3A33c-bUkjhj17tEXqAXttrVz1AsCrT5nrzk","rawId":"mbAaBeO3A33c-bUkjhj17tEXqAXttrVz1AsCrT5\
            nrzk","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjogIndlYmF1dGhuLmNyZWF0ZSIsICJjaGFs\
            bGVuZ2UiOiAiY01fNXFOUHhRQjNvYW5GdkJfb3ZZWUVkTkxFUWlXV2FCZnpzbG5aOVhWcyIsICJvcmlnaW4iOiAiaHR0cHM6Ly9l\
            eGFtcGxlLmNvbSJ9","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViko3mm9u6vuaVeN4wRgDTid\
            R5oL6ufLTCrE9ISVYbOGUdFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIJmwGgXjtwN93Pm1JI4Y9e7RF6gF7ba1c9QLAq0-Z685pQECA\
            yYgASFYIKOF9cA0fKBSoreY5bTev0lrFrTGQAy-XMzlihzgKKLsIlggbFHmu58awgaRH9VgTesjDhfarUqjVZEN_fKIdrHs4Mg"}\
            ,"clientExtensionResults":{},"authenticatorAttachment":"cross-platform"}
            """,
        authenticationChallenge: hex("6faf98278c4558399c9eacee0a9121bf1586059ec22cdec47a870563c2362dee"),
        authentication: """
            {"id":"mbAaBeO3A33c-bUkjhj17tEXqAXttrVz1AsCrT5nrzk","rawId":"mbAaBeO3A33c-bUkjhj17tEXqAXttrVz1AsCrT5\
            nrzk","type":"public-key","response":{"authenticatorData":"o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOG\
            UcFAAAAAQ","clientDataJSON":"eyJ0eXBlIjogIndlYmF1dGhuLmdldCIsICJjaGFsbGVuZ2UiOiAiYjYtWUo0eEZXRG1jbnF\
            6dUNwRWh2eFdHQlo3Q0xON0Vlb2NGWThJMkxlNCIsICJvcmlnaW4iOiAiaHR0cHM6Ly9leGFtcGxlLmNvbSJ9","signature":"\
            MEUCIQCqTL81fI_hTOh2nL0WHAqfDch17Z8hpQRgP14CGiTPlAIgREeCJEeIZtj9TRMhNTBSN2FNTuW4BVx9IFd1YzRF6WU","us\
            erHandle":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"},"clientExtensionResults":{},"authenticatorA\
            ttachment":"cross-platform"}
            """)

    static let second = RecordedCeremony(
        name: "softES256_2",
        registrationChallenge: hex("6354dd29e8700f18cffd9bb79cd1af970fc73d97f346dec3304f13c59a9931ee"),
        registration: """
            {"id":"oGKTkmJcmbDfDltjvu4CYlOKyCce8T3JqHaNJAtufQk","rawId":"oGKTkmJcmbDfDltjvu4CYlOKyCce8T3JqHaNJAt\
            ufQk","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjogIndlYmF1dGhuLmNyZWF0ZSIsICJjaGFs\
            bGVuZ2UiOiAiWTFUZEtlaHdEeGpQX1p1M25OR3Zsd19IUFpmelJ0N0RNRThUeFpxWk1lNCIsICJvcmlnaW4iOiAiaHR0cHM6Ly9l\
            eGFtcGxlLmNvbSJ9","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViko3mm9u6vuaVeN4wRgDTid\
            R5oL6ufLTCrE9ISVYbOGUdFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIKBik5JiXJmw3w5bY77uAmJTisgnHvE9yah2jSQLbn0JpQECA\
            yYgASFYICE3mmw6XnXPnQGA4uLZW1JxcEvYccbUIBpzfmSBt496Ilgg7wwFZy_7h-WZCCMxqpJQDsbLVpGu-A2ZymQGsjtRBSQ"}\
            ,"clientExtensionResults":{},"authenticatorAttachment":"cross-platform"}
            """,
        authenticationChallenge: hex("70f0ca3f868b5eeb6f919d8cab598d5bb88a28f5a22f06b7b5eed6a8ed1736da"),
        authentication: """
            {"id":"oGKTkmJcmbDfDltjvu4CYlOKyCce8T3JqHaNJAtufQk","rawId":"oGKTkmJcmbDfDltjvu4CYlOKyCce8T3JqHaNJAt\
            ufQk","type":"public-key","response":{"authenticatorData":"o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOG\
            UcFAAAAAQ","clientDataJSON":"eyJ0eXBlIjogIndlYmF1dGhuLmdldCIsICJjaGFsbGVuZ2UiOiAiY1BES1A0YUxYdXR2a1o\
            yTXExbU5XN2lLS1BXaUx3YTN0ZTdXcU8wWE50byIsICJvcmlnaW4iOiAiaHR0cHM6Ly9leGFtcGxlLmNvbSJ9","signature":"\
            MEUCIGCVai0BVw2UVc6Nud6u5OJl7BOntzXkOFmv2j9xoe_VAiEA67b4P5zYSPu1rrDl-9Ckem5FHKp5gSVfcjr62OqQnHE","us\
            erHandle":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"},"clientExtensionResults":{},"authenticatorA\
            ttachment":"cross-platform"}
            """)

    static let third = RecordedCeremony(
        name: "softES256_3",
        registrationChallenge: hex("020d33d5a510deff867ebc9d655953262901472288c163e0c598feb7100033c4"),
        registration: """
            {"id":"RmpdaKswLp5YL4VWHnPtZOmCmdmq3GWoNJgvTYHxUDA","rawId":"RmpdaKswLp5YL4VWHnPtZOmCmdmq3GWoNJgvTYH\
            xUDA","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjogIndlYmF1dGhuLmNyZWF0ZSIsICJjaGFs\
            bGVuZ2UiOiAiQWcwejFhVVEzdi1HZnJ5ZFpWbFRKaWtCUnlLSXdXUGd4WmotdHhBQU04USIsICJvcmlnaW4iOiAiaHR0cHM6Ly9l\
            eGFtcGxlLmNvbSJ9","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViko3mm9u6vuaVeN4wRgDTid\
            R5oL6ufLTCrE9ISVYbOGUdFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIEZqXWirMC6eWC-FVh5z7WTpgpnZqtxlqDSYL02B8VAwpQECA\
            yYgASFYIKI2HJS7KfTeeQCL6KrCTpwiE9EFMRlvveFecYmeqbATIlggciYjUmyUs1rIFIiBrn28nlMAMofjE5IaT5b9OKJMcFU"}\
            ,"clientExtensionResults":{},"authenticatorAttachment":"cross-platform"}
            """,
        authenticationChallenge: hex("c7ab3e8367d0c2ba8b04b764bd0105c69ba68055c332ad2d73e5b2277ff79b58"),
        authentication: """
            {"id":"RmpdaKswLp5YL4VWHnPtZOmCmdmq3GWoNJgvTYHxUDA","rawId":"RmpdaKswLp5YL4VWHnPtZOmCmdmq3GWoNJgvTYH\
            xUDA","type":"public-key","response":{"authenticatorData":"o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOG\
            UcFAAAAAQ","clientDataJSON":"eyJ0eXBlIjogIndlYmF1dGhuLmdldCIsICJjaGFsbGVuZ2UiOiAieDZzLWcyZlF3cnFMQkx\
            ka3ZRRUZ4cHVtZ0ZYRE1xMHRjLVd5SjNfM20xZyIsICJvcmlnaW4iOiAiaHR0cHM6Ly9leGFtcGxlLmNvbSJ9","signature":"\
            MEUCIEcLsxXL_WmNiYOOubb6vtPgTDWiTJZwIegUZCU-ZQ4NAiEA5rCJXlF-H92tCHDWmplrxUITYj_uWVM1B58WGr7e6Eg","us\
            erHandle":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"},"clientExtensionResults":{},"authenticatorA\
            ttachment":"cross-platform"}
            """)

    static let unverified = RecordedCeremony(
        name: "softUnverified",
        registrationChallenge: hex("bc28baed069fec7d7a12f031cc8941969f25969814c8a194210ed0fa7e88d046"),
        registration: """
            {"id":"3QmaR2KTG6p2kQE3kPrDlZvaFveY54CfCgrct9CBbMk","rawId":"3QmaR2KTG6p2kQE3kPrDlZvaFveY54CfCgrct9C\
            BbMk","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjogIndlYmF1dGhuLmNyZWF0ZSIsICJjaGFs\
            bGVuZ2UiOiAidkNpNjdRYWY3SDE2RXZBeHpJbEJscDhsbHBnVXlLR1VJUTdRLW42STBFWSIsICJvcmlnaW4iOiAiaHR0cHM6Ly9l\
            eGFtcGxlLmNvbSJ9","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViko3mm9u6vuaVeN4wRgDTid\
            R5oL6ufLTCrE9ISVYbOGUdBAAAAAAAAAAAAAAAAAAAAAAAAAAAAIN0JmkdikxuqdpEBN5D6w5Wb2hb3mOeAnwoK3LfQgWzJpQECA\
            yYgASFYIM3qVCLUwOH2tsW8pFB8NuTDn-Ehsmnu8g8FNu-LHQl2IlggheR6iVuS6TVAhvmWPg96cqr0HM4YnvsPSyq6szNX-5o"}\
            ,"clientExtensionResults":{},"authenticatorAttachment":"cross-platform"}
            """,
        authenticationChallenge: hex("1ccdb566eb844ef8f3406998ebfbcdd745cb120271d5dd62468bb84164091584"),
        authentication: """
            {"id":"3QmaR2KTG6p2kQE3kPrDlZvaFveY54CfCgrct9CBbMk","rawId":"3QmaR2KTG6p2kQE3kPrDlZvaFveY54CfCgrct9C\
            BbMk","type":"public-key","response":{"authenticatorData":"o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOG\
            UcBAAAAAQ","clientDataJSON":"eyJ0eXBlIjogIndlYmF1dGhuLmdldCIsICJjaGFsbGVuZ2UiOiAiSE0yMVp1dUVUdmp6UUd\
            tWTZfdk4xMFhMRWdKeDFkMWlSb3U0UVdRSkZZUSIsICJvcmlnaW4iOiAiaHR0cHM6Ly9leGFtcGxlLmNvbSJ9","signature":"\
            MEQCIEMuZ6QHXH33u6jVkrooGV01kEsHsiEh83Fw9W6z6rGPAiAVSLnzsdvVhMmAqhE5nV97am2tcgkhUGDh7Y4Ixjrg-g","use\
            rHandle":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"},"clientExtensionResults":{},"authenticatorAt\
            tachment":"cross-platform"}
            """)

    static let edDSA = RecordedCeremony(
        name: "fido2EdDSA",
        registrationChallenge: hex("0114243214ab2c1d0ec5add4ace09d37079be45edec29b38347600051d21348e"),
        registration: """
            {"id":"3NA7TDvrb_J_iljIeMWJz1XtcbMz17t5Kpx2nekcVf0","rawId":"3NA7TDvrb_J_iljIeMWJz1XtcbMz17t5Kpx2nek\
            cVf0","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxl\
            bmdlIjoiQVJRa01oU3JMQjBPeGEzVXJPQ2ROd2ViNUY3ZXdwczROSFlBQlIwaE5JNCIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBs\
            ZS5jb20iLCJjcm9zc09yaWdpbiI6ZmFsc2V9","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViPo\
            3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUfFAAAAAREREREREREREREREREREREAINzQO0w762_yf4pYyHjFic9V7XGzM\
            9e7eSqcdp3pHFX9pAEBAycgBiFYILhBpJbvh0ofWTjk6NeD9kTNXxxAM46PBmufAKCTGJ8DoWtjcmVkUHJvdGVjdAM","transpo\
            rts":["internal","usb"]},"clientExtensionResults":{},"authenticatorAttachment":"cross-platform"}
            """,
        authenticationChallenge: hex("1cd51d2bfbf3bf573c2853fd1d31f8adbed1d2b2c73314734f075031d5e58e3e"),
        authentication: """
            {"id":"3NA7TDvrb_J_iljIeMWJz1XtcbMz17t5Kpx2nekcVf0","rawId":"3NA7TDvrb_J_iljIeMWJz1XtcbMz17t5Kpx2nek\
            cVf0","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdl\
            IjoiSE5VZEtfdnp2MWM4S0ZQOUhUSDRyYjdSMHJMSE14UnpUd2RRTWRYbGpqNCIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5j\
            b20iLCJjcm9zc09yaWdpbiI6ZmFsc2V9","authenticatorData":"o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUcFA\
            AAAAg","signature":"ze4JP_0PNYq0w0RQF8xqAajgy3glIReOauGEXv8MCQZ8KOHZxUE2v-GNtdykeEbn-coSWDWlHAXdI-Vl\
            Oj6LCg","userHandle":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"},"clientExtensionResults":{},"aut\
            henticatorAttachment":"cross-platform"}
            """)

    static let rs256 = RecordedCeremony(
        name: "fido2RS256",
        registrationChallenge: hex("0417e42886b843783802ebecdb22be5c796491d132661deab2d59ea75c3b35cf"),
        registration: """
            {"id":"5DqmAqbUx8xlQMAmjuZ1YDOp7Ykq_rkoSFwd6VGztjA","rawId":"5DqmAqbUx8xlQMAmjuZ1YDOp7Ykq_rkoSFwd6VG\
            ztjA","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxl\
            bmdlIjoiQkJma0tJYTRRM2c0QXV2czJ5Sy1YSGxra2RFeVpoM3FzdFdlcDF3N05jOCIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBs\
            ZS5jb20iLCJjcm9zc09yaWdpbiI6ZmFsc2V9","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVkBd\
            aN5pvbur7mlXjeMEYA04nUeaC-rny0wqxPSElWGzhlHxQAAAAERERERERERERERERERERERACDkOqYCptTHzGVAwCaO5nVgM6nti\
            Sr-uShIXB3pUbO2MKQBAwM5AQAgWQEA9Fzahbd8PUGbpsSSYawY7Q_wsjkSkiF7PaIMoRL7deRdO9Ez44sZfT08BZQ2NSM783_hs\
            5dUTKNsc_tOSlpC22zFHPksgcnO7uUQ1CEnIXOD4GWdw1SkOqrbtaLUqP-VrJGskzF10nBy1UbnWfY06FmZ6RPGhuvF8VwgDAewu\
            Vw4swgYm1eZ-d6yKPPn-LG4B3qcBX9JxWq-xf4WfB_CwsAGnF3uA_pIDRvSB6OzUsPLz-c-EiGm-mKqN3voKneTpIxOy8z3HmvcJ\
            rp1lczAwOWJV-yvg5KsChtdvM5rrMYi9cF9NK9hG9zNbNcpC71LfQGll_D5jHqgpd-EB-otwSFDAQABoWtjcmVkUHJvdGVjdAM",\
            "transports":["internal","usb"]},"clientExtensionResults":{},"authenticatorAttachment":"cross-platfo\
            rm"}
            """,
        authenticationChallenge: hex("1da1ff1e245dff16d6e6264b357a84f2f3489c0a44ef6e512f2c0cc2fde7d972"),
        authentication: """
            {"id":"5DqmAqbUx8xlQMAmjuZ1YDOp7Ykq_rkoSFwd6VGztjA","rawId":"5DqmAqbUx8xlQMAmjuZ1YDOp7Ykq_rkoSFwd6VG\
            ztjA","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdl\
            IjoiSGFIX0hpUmRfeGJXNWlaTE5YcUU4dk5JbkFwRTcyNVJMeXdNd3YzbjJYSSIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5j\
            b20iLCJjcm9zc09yaWdpbiI6ZmFsc2V9","authenticatorData":"o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUcFA\
            AAAAg","signature":"UH317AdiULD-7L9VKmpweXzxTmElOZoo-ToNmCrQznyFKGgyH6xDldOcNw8lWH7XvYp5Bb4uFpOPysJv\
            kRRP08aIXf9wnlfuad88X_tOyWKyM-DHuQumjkfu_FKTCmFXiaqiXEZFBkcEoqMME42lmoB0HdDiJKgJspDnJJDjwXHy8qVosOUz\
            FNK5rEYU3LdO_szq0Rchip2am_rd9-X7-bVej1oooYl-wJTs2BcDBRJgmVq4sfqFNqYp6Jevgc_FGuh_ZBM3SPevzo5S4all9VNt\
            WgPJ4Xng4Eobgl_-RsjGLk9MjCLCz2yYItyvixiF3FZs-6JXJE_uocbcGX95UQ","userHandle":"AAECAwQFBgcICQoLDA0ODx\
            AREhMUFRYXGBkaGxwdHh8"},"clientExtensionResults":{},"authenticatorAttachment":"cross-platform"}
            """)

}
