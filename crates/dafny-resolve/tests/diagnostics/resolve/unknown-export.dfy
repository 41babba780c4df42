module Plain {
}
module Mistaken { import Plain`Plain }
