import { Anchor, Badge, Button, Group, NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { Section } from '../../components/section.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import {
  type BookingPageLanguage,
  type LocalisedTexts,
  localisedTextsOf,
  nonEmptyTexts,
  pageLanguages,
} from './local-texts.ts'
import { isAddress } from './page-form.tsx'
import { PrivateLinks } from './private-links.tsx'

type ShownService = Item<'GET /booking-page/'>['services'][number]

/**
 * Lists the services with their URLs on the booking page. Opens the form of a service's settings for the booking page,
 * and the dialog of its private links.
 */
export function ServicePages({ services }: { readonly services: readonly ShownService[] }) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<ShownService>()
  const [linked, setLinked] = useState<ShownService>()
  return (
    <Section title={t('bookingPage.services')}>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {services.map((service) => (
          <Group key={service.id} component="li" justify="space-between" gap="xs" wrap="wrap">
            <div style={{ minWidth: 180, flex: 1 }}>
              <Group gap="xs">
                <Text fw={600}>{service.name}</Text>
                <Badge variant="default">
                  {service.active ? t(`bookingPage.accesses.${service.page.access}`) : t('bookingPage.inactive')}
                </Badge>
              </Group>
              <Anchor href={service.url} target="_blank" rel="noopener" size="sm" className="breakable">
                {service.url}
              </Anchor>
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={t('bookingPage.linksOf', { name: service.name })}
              onClick={() => setLinked(service)}
            >
              {t('bookingPage.links')}
            </Button>
            <Button
              variant="default"
              size="xs"
              aria-label={`${t('common.edit')}: ${service.name}`}
              onClick={() => setEdited(service)}
            >
              {t('common.edit')}
            </Button>
          </Group>
        ))}
      </Stack>
      <Modal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited && t('bookingPage.editService', { name: edited.name })}
        closeButtonProps={{ 'aria-label': t('common.close') }}
        size="lg"
      >
        {edited && <ServiceForm key={edited.id} service={edited} close={() => setEdited(undefined)} />}
      </Modal>
      {linked && <PrivateLinks service={linked} close={() => setLinked(undefined)} />}
    </Section>
  )
}

interface FormValues {
  slug: string
  access: ShownService['page']['access']
  category: string
  picture: string
  choosesProvider: boolean
  canChange: boolean
  changeHours: number | string
  reason: ShownService['page']['reason']
  feeText: LocalisedTexts
  verifyEmail: ShownService['page']['verifyEmail']
}

const usualHours = 24

function ServiceForm({ service, close }: { readonly service: ShownService; readonly close: () => void }) {
  const { t } = useTranslation()
  const edit = useWrite('POST /booking-page/service/edit/', ['GET /booking-page/'])
  const { id, slug, page } = service
  const form = useWriteForm<FormValues>({
    initialValues: {
      ...page,
      slug,
      canChange: page.changeHours !== null,
      changeHours: page.changeHours ?? usualHours,
      feeText: localisedTextsOf(page.feeText),
    },
    validate: ({ picture, canChange, changeHours }) => ({
      ...(!isAddress(picture) && { picture: t('bookingPage.urlWrong') }),
      ...(canChange && changeHours === '' && { changeHours: t('common.numberMissing') }),
    }),
    write: async ({ canChange, changeHours, feeText, ...rest }) => {
      const hours = canChange ? Number(changeHours) : null
      const values = { ...rest, changeHours: hours, feeText: nonEmptyTexts(feeText) }
      const also = { changeHours: 'canChange' } as const
      const body = form.changedOf(values, also)
      const before = form.changedOf({ slug, ...page }, also)
      await edit.mutateAsync({ body: { id, ...body } })
      toast(t('common.saved'), () => edit.mutateAsync({ body: { id, ...before } }))
      close()
    },
  })
  const { fields } = form
  const languages = Object.entries(pageLanguages) as [BookingPageLanguage, string][]
  return (
    <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
      <Select
        label={t('bookingPage.access')}
        data={(['listed', 'unlisted', 'link', 'host', 'closed'] as const).map((value) => ({
          value,
          label: t(`bookingPage.accesses.${value}`),
        }))}
        allowDeselect={false}
        data-autofocus
        {...fields.getInputProps('access')}
      />
      <TextInput
        label={t('bookingPage.slug')}
        description={t('bookingPage.slugHelp')}
        maxLength={60}
        {...fields.getInputProps('slug')}
      />
      <TextInput label={t('bookingPage.category')} maxLength={100} {...fields.getInputProps('category')} />
      <TextInput label={t('bookingPage.picture')} type="url" {...fields.getInputProps('picture')} />
      <Select
        label={t('bookingPage.verifyEmail')}
        data={(['site', 'always', 'never'] as const).map((value) => ({
          value,
          label: t(`bookingPage.verifies.${value}`),
        }))}
        allowDeselect={false}
        {...fields.getInputProps('verifyEmail')}
      />
      <Switch label={t('bookingPage.chooses')} {...fields.getInputProps('choosesProvider', { type: 'checkbox' })} />
      <Switch label={t('bookingPage.canChange')} {...fields.getInputProps('canChange', { type: 'checkbox' })} />
      {fields.values.canChange && (
        <NumberInput
          label={t('bookingPage.changeHours')}
          min={0}
          max={8_760}
          allowDecimal={false}
          {...fields.getInputProps('changeHours')}
        />
      )}
      <Select
        label={t('bookingPage.reason')}
        data={(['none', 'optional', 'required'] as const).map((value) => ({
          value,
          label: t(`bookingPage.wishes.${value}`),
        }))}
        allowDeselect={false}
        {...fields.getInputProps('reason')}
      />
      {languages.map(([language, name]) => (
        <TextInput
          key={language}
          label={t('bookingPage.feeText', { language: name })}
          description={language === 'en' ? t('bookingPage.feeHelp') : undefined}
          maxLength={2_000}
          {...fields.getInputProps(`feeText.${language}`)}
        />
      ))}
    </Form>
  )
}
