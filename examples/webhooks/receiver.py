# Receives webhooks of Daybook: python3 receiver.py (3.8 or newer). Prints each event once verified.
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].replace("whsec_", ""))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        id, timestamp = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        wanted = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
        sent = [base64.b64decode(one[3:]) for one in self.headers["webhook-signature"].split(" ")]
        valid = any(hmac.compare_digest(one, wanted) for one in sent)
        recent = abs(time.time() - int(timestamp)) < 300
        self.send_response(204 if valid and recent else 400)
        self.end_headers()
        if valid and recent:  # Store the id with what you do: a repetition has the same one.
            print(id, json.loads(body)["type"], flush=True)

HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()
