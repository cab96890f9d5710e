/// The part of a reverse proxy's configuration that ends TLS in front of a server.
enum ProxyExample {
    static func nginx(_ domain: String) -> String {
        """
        server {
            listen 80;
            server_name \(domain);
            return 301 https://$host$request_uri;
        }
        server {
            listen 443 ssl;
            http2 on;
            server_name \(domain);
            ssl_certificate /etc/letsencrypt/live/\(domain)/fullchain.pem;
            ssl_certificate_key /etc/letsencrypt/live/\(domain)/privkey.pem;
            location / {
                proxy_pass http://127.0.0.1:3001;
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                proxy_set_header Host $host;
                proxy_set_header X-Forwarded-For $remote_addr;
                proxy_set_header X-Forwarded-Proto $scheme;
            }
        }
        """
    }

    static func caddy(_ domain: String) -> String {
        """
        \(domain) {
            reverse_proxy 127.0.0.1:3001
        }
        """
    }
}
