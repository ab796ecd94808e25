import type { SaidOf } from '../said.ts'
import type { people as english } from './en.ts'

/** What the service says of who signs in, and of tokens. */
export const people: SaidOf<typeof english> = {
  'A password has at least {{#count}} characters.': 'Una contraseña tiene al menos {{#count}} caracteres.',
  'A password has at most {{#count}} characters.': 'Una contraseña tiene como máximo {{#count}} caracteres.',
  'A password cannot consist of spaces alone.': 'Una contraseña no puede constar solo de espacios.',
  'A password cannot repeat the same few characters.': 'Una contraseña no puede repetir los mismos pocos caracteres.',
  'A password cannot be a sequence of neighbouring characters.':
    'Una contraseña no puede ser una secuencia de caracteres contiguos.',
  'A password cannot be made of your name, your e-mail address or the name of the site.':
    'Una contraseña no puede formarse con su nombre, su correo electrónico o el nombre del sitio.',
  'This password is among those that are tried first; choose several words, or something longer.':
    'Esta contraseña está entre las que se prueban primero; elija varias palabras o algo más largo.',
  'Confirm that it is you, then this can go on.': 'Confirme que es usted y podrá continuar.',
  'Your role needs a second factor; set one up first.': 'Su rol necesita un segundo factor; configure primero uno.',
  'E-mail, password or code is wrong; check them and try again.':
    'El correo, la contraseña o el código no es correcto; compruébelos e inténtelo de nuevo.',
  'Too many attempts to sign in; wait a little, then try again.':
    'Demasiados intentos de iniciar sesión; espere un poco e inténtelo de nuevo.',
  'Sign in to the panel first.': 'Inicie sesión primero.',
  'This session is over; sign in again.': 'Esta sesión ha terminado; inicie sesión de nuevo.',
  'There is no such session; it may have ended by itself.': 'Esa sesión no existe; quizá ha terminado por sí sola.',
  'This is for people with the role {{roles}}.': 'Esto es solo para personas con este rol: {{roles}}.',
  'Only the panel itself may ask this. Behind a proxy: it must pass the header Host on, or --public-url must name its address.':
    'Esto solo puede pedirlo el propio panel. Detrás de un proxy: debe pasar la cabecera Host o --public-url debe indicar su dirección.',
  'There is a user with the address {{email}} already.': 'Ya hay alguien con la dirección {{email}}.',
  'There is no user with this id; the list shows them all.':
    'Nadie tiene este identificador; la lista los muestra a todos.',
  'This is the only administrator; make another one first.': 'Es el único administrador; cree primero otro.',
  'Only a person with the role provider is a provider; leave it out or null.':
    'Solo una persona con el rol Profesional es un profesional; déjelo vacío.',
  'There is no provider {{id}}.': 'No hay ningún profesional {{id}}.',
  'This link was used or is too old; ask for a new one.': 'Este enlace ya se usó o es demasiado antiguo; pida otro.',
  'This link was used or is too old. While there is no administrator, each start of the service prints a new one.':
    'Este enlace ya se usó o es demasiado antiguo. Mientras no haya administrador, cada arranque del servicio imprime otro.',
  'The code is wrong; check that the clocks of both devices are right.':
    'El código no es correcto; compruebe que los relojes de ambos dispositivos van en hora.',
  'This code was used already; wait for the next one.': 'Este código ya se usó; espere al siguiente.',
  'Whoever runs the service must set DAYBOOK_SECRET_KEY first; see the operations guide.':
    'Quien opera el servicio debe definir antes DAYBOOK_SECRET_KEY; consulte la guía de operación.',
  'There is an authenticator app already; remove it first.': 'Ya hay una aplicación de autenticación; quítela primero.',
  'No authenticator app waits to be confirmed.': 'Ninguna aplicación de autenticación espera confirmación.',
  'Recovery codes stand in for a second factor; set one up first.':
    'Los códigos de recuperación sustituyen a un segundo factor; configure primero uno.',
  'This passkey is registered already, or took too long; begin again.':
    'Esta llave de acceso ya está añadida, o tardó demasiado; empiece de nuevo.',
  'There is no such passkey; the list shows yours.': 'Esa llave de acceso no existe; la lista muestra las suyas.',
  'The browser’s answer does not fit what was asked; begin again.':
    'La respuesta del navegador no encaja con lo que se pidió; empiece de nuevo.',
  'This passkey is not known here; sign in another way.':
    'Esta llave de acceso no se conoce aquí; entre de otra manera.',
  'A token needs a name.': 'Un token necesita un nombre.',
  'Send a name.': 'Escriba un nombre.',
  'A token must expire in the future.': 'Un token debe caducar en el futuro.',
  'Send a later time, or null.': 'Elija un momento posterior o déjelo vacío.',
  'There is no token with this id. "daybook token list" shows them all.':
    'Ningún token tiene este identificador. «daybook token list» los muestra todos.',
}
