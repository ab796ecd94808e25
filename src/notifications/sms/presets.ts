import type { SmsSettings } from './sms.ts'

/**
 * Settings for a known gateway, which administrators complete: they replace the words in capitals in `url` and `user`.
 */
export interface SmsPreset extends Pick<SmsSettings, 'url' | 'method' | 'contentType' | 'user' | 'body' | 'refusals'> {
  readonly name: string
  /** The headers that the gateway requires, with the beginnings of their values, which the administrator completes. */
  readonly headers: readonly string[]
}

/** Known gateways by id. */
export const smsPresets = {
  twilio: {
    name: 'Twilio',
    url: 'https://api.twilio.com/2010-04-01/Accounts/ACCOUNT_SID/Messages.json',
    method: 'POST',
    contentType: 'application/x-www-form-urlencoded',
    user: 'ACCOUNT_SID',
    headers: [],
    body: 'To={{ to | url_encode }}&From={{ sender | url_encode }}&Body={{ text | url_encode }}',
    // Twilio's codes for an invalid number, for a number that is not mobile, and for a recipient who replied STOP.
    refusals: ['"code":21211', '"code":21614', '"code":21610'],
  },
  vonage: {
    name: 'Vonage',
    url: 'https://api.nexmo.com/v1/messages',
    method: 'POST',
    contentType: 'application/json',
    user: 'API_KEY',
    headers: [],
    body: `{
  "message_type": "text",
  "channel": "sms",
  "to": {{ to_digits | json }},
  "from": {{ sender | json }},
  "text": {{ text | json }},
  "client_ref": {{ id | json }}
}`,
    refusals: [],
  },
  whatsapp: {
    name: 'WhatsApp (Cloud API)',
    url: 'https://graph.facebook.com/v23.0/PHONE_NUMBER_ID/messages',
    method: 'POST',
    contentType: 'application/json',
    user: '',
    headers: ['Authorization: Bearer '],
    // WhatsApp delivers only approved templates to customers who have not written within a day. The administrator must
    // obtain approval of one template for each kind and language, with three parameters and a name such as
    // appointment_reminder.
    body: `{
  "messaging_product": "whatsapp",
  "to": {{ to_digits | json }},
  "type": "template",
  "template": {
    "name": {{ "appointment_" | append: kind | json }},
    "language": { "code": {{ locale | json }} },
    "components": [
      {
        "type": "body",
        "parameters": [
          { "type": "text", "text": {{ customer.name | json }} },
          { "type": "text", "text": {{ service.name | json }} },
          { "type": "text", "text": {{ start | json }} }
        ]
      }
    ]
  }
}`,
    // WhatsApp's error code for an undeliverable message, such as one to a number that has no WhatsApp account.
    refusals: ['"code":131026'],
  },
} as const satisfies Readonly<Record<string, SmsPreset>>

/** The id of a known gateway. */
export type SmsPresetId = keyof typeof smsPresets

/** The ids of all known gateways, in display order. */
export const smsPresetIds = Object.keys(smsPresets) as readonly SmsPresetId[]
