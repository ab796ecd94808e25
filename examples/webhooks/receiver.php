<?php
// Receives webhooks of Daybook: php -S 127.0.0.1:3000 receiver.php (PHP 7.4 or newer). Logs each event once verified.
$key = base64_decode(str_replace('whsec_', '', getenv('WEBHOOK_SECRET')));
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
$wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
$valid = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one) {
    $valid = hash_equals($wanted, $one) || $valid;
}
if (!$valid || abs(time() - (int) $timestamp) > 300) {
    http_response_code(400);
    exit;
}
// Store the id with what you do: a repetition has the same one.
error_log($id . ' ' . json_decode($body, true)['type']);
http_response_code(204);
