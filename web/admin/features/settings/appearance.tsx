import { Button, ColorInput, FileInput, Group, Stack } from '@mantine/core'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import { UnsavedGuard } from '../../components/dialogs/unsaved-guard.tsx'
import { ErrorAlert, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { useWrite } from '../../data/queries.ts'
import { failureOf } from '../../data/refusal.ts'
import type { Item } from '../../data/request.ts'
import styles from './appearance.module.css'

const changed = ['GET /site/'] as const

/** Edits the colour and the logo that mails and the booking page show. */
export function Appearance({ site: { name, appearance } }: { readonly site: Item<'GET /site/'> }) {
  const { t } = useTranslation()
  return (
    <Section anchor="appearance" title={t('site.appearance.title')} text={t('site.appearance.text')}>
      <ColorForm color={appearance.color} />
      <Logo name={name} logo={appearance.logo} />
    </Section>
  )
}

function ColorForm({ color }: { readonly color: string | null }) {
  const { t } = useTranslation()
  const edit = useWrite('POST /site/edit/', changed)
  const form = useWriteForm({
    initialValues: { color: color ?? '' },
    stored: color,
    write: async (values) => {
      await edit.mutateAsync({ body: { appearance: { color: values.color || null } } })
      form.fields.resetDirty()
      toast(t('common.saved'), () => edit.mutateAsync({ body: { appearance: { color } } }))
    },
    fieldOf: () => 'color',
  })
  return (
    <Form form={form} submitText={t('site.appearance.saveColor')}>
      <UnsavedGuard when={form.fields.isDirty()} />
      <ColorInput
        label={t('site.appearance.color')}
        description={t('site.appearance.colorHelp')}
        maw={320}
        withEyeDropper={false}
        {...form.fields.getInputProps('color')}
      />
    </Form>
  )
}

function Logo({ name, logo }: { readonly name: string; readonly logo: string | null }) {
  const { t } = useTranslation()
  const upload = useWrite('POST /site/logo/', changed)
  const edit = useWrite('POST /site/edit/', changed)
  const wrong = upload.error ? failureOf(upload.error).fields.content : undefined
  const send = async (file: File): Promise<void> => {
    const bytes = new Uint8Array(await file.arrayBuffer())
    upload.mutate({ body: { content: base64(bytes) } }, { onSuccess: () => toast(t('common.saved')) })
  }
  return (
    <Stack gap="xs">
      {logo !== null && (
        <Group gap="md">
          <img src={`/site-logo/?id=${logo}`} alt={name} className={styles.logo} />
          <Button
            variant="default"
            leftSection={<IconTrash size={16} />}
            loading={edit.isPending}
            onClick={() =>
              edit.mutate(
                { body: { appearance: { logo: null } } },
                { onSuccess: () => toast(t('site.appearance.logoRemoved')) },
              )
            }
          >
            {t('site.appearance.removeLogo')}
          </Button>
        </Group>
      )}
      <FileInput
        label={t('site.appearance.logo')}
        description={t('site.appearance.logoHelp')}
        placeholder={t('site.appearance.choose')}
        leftSection={<IconUpload size={16} />}
        accept="image/png,image/jpeg,image/svg+xml"
        maw={420}
        disabled={upload.isPending}
        value={null}
        error={wrong}
        onChange={(file) => file && void send(file)}
      />
      <ErrorAlert error={edit.error ?? (wrong === undefined ? upload.error : undefined)} />
    </Stack>
  )
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
